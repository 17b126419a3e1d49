package controlplane

import (
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// writeKubeconfig writes the file that a program needs to act as this user.
func (c *Cluster) writeKubeconfig(file string, user api.AuthInfo) error {
	config := api.NewConfig()
	config.Clusters["e2e"] = &api.Cluster{Server: c.URL, CertificateAuthorityData: c.authority.PEM}
	config.AuthInfos["user"] = &user
	config.Contexts["e2e"] = &api.Context{Cluster: "e2e", AuthInfo: "user"}
	config.CurrentContext = "e2e"
	return clientcmd.WriteToFile(*config, file)
}

func (c *Cluster) writeClientKubeconfig(name, user string, groups ...string) (string, error) {
	pair, err := c.authority.Client(user, groups...)
	if err != nil {
		return "", err
	}
	file := c.path(name + ".kubeconfig")
	return file, c.writeKubeconfig(file, api.AuthInfo{ClientCertificateData: pair.Certificate, ClientKeyData: pair.Key})
}

// restConfig reads such a file; the tests' own requests are not rate-limited.
func restConfig(kubeconfig string) (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = -1, 0
	config.WarningHandler = rest.NoWarnings{} // those that matter are asked for through kubectl
	return config, nil
}
