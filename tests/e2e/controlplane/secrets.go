package controlplane

import (
	"errors"
	"os"
)

// writeSecrets makes both authorities, the API server's certificate and the kubeconfigs of the components.
func (c *Cluster) writeSecrets() error {
	var err error
	if c.authority, err = NewAuthority("e2e-cluster"); err != nil {
		return err
	}
	if c.Webhooks, err = NewAuthority("e2e-webhooks"); err != nil {
		return err
	}
	return errors.Join(c.writeAuthority(), c.writeServers(), c.writeUsers())
}

func (c *Cluster) writeAuthority() error {
	key, err := c.authority.keyPEM()
	if err != nil {
		return err
	}
	_, _, err = Pair{c.authority.PEM, key}.Write(c.folder, "ca")
	return err
}

func (c *Cluster) writeServers() error {
	server, err := c.authority.Server("kubernetes", "kubernetes.default", "kubernetes.default.svc")
	if err != nil {
		return err
	}
	tokens, err := c.authority.Client("service-accounts")
	if err != nil {
		return err
	}
	webhook, err := c.Webhooks.Server()
	if err != nil {
		return err
	}
	operator := c.path("operator-certificates")
	if err := os.Mkdir(operator, 0o700); err != nil {
		return err
	}
	_, _, err1 := server.Write(c.folder, "apiserver")
	_, _, err2 := tokens.Write(c.folder, "service-accounts")
	_, _, err3 := webhook.Write(operator, "tls")
	return errors.Join(err1, err2, err3)
}

// Only the set-up acts as system:masters, which no rule can stop. Tests are kubernetes-admin.
func (c *Cluster) writeUsers() error {
	_, err1 := c.writeClientKubeconfig("set-up", "set-up", "system:masters")
	_, err2 := c.writeClientKubeconfig("admin", "kubernetes-admin", "kubeadm:cluster-admins")
	_, err3 := c.writeClientKubeconfig("controller-manager", "system:kube-controller-manager")
	_, err4 := c.writeClientKubeconfig("scheduler", "system:kube-scheduler")
	_, err5 := c.writeClientKubeconfig("kwok", "kwok", "system:masters")
	c.Kubeconfig = c.path("admin.kubeconfig")
	return errors.Join(err1, err2, err3, err4, err5)
}
