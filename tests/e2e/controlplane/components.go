package controlplane

import (
	"fmt"
	"time"

	"toposeg.io/tests/e2e/process"
)

// component is one program of the control plane: its flags, and the URL that answers 200 once it works.
type component struct {
	command process.Command
	health  string
	running *process.Process
}

func address(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }

func (c *Cluster) program(name string, health string, args ...string) *component {
	return &component{
		command: process.Command{Name: name, Path: c.options.Programs + "/" + name, Args: args, Folder: c.Logs},
		health:  health,
	}
}

func (c *Cluster) etcd() *component {
	client, peer := "http://"+address(c.ports.etcd), "http://"+address(c.ports.etcdPeer)
	return c.program("etcd", client+"/health",
		"--data-dir="+c.path("etcd"), "--listen-client-urls="+client, "--advertise-client-urls="+client,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=default="+peer,
		"--unsafe-no-fsync")
}

func (c *Cluster) apiServer() *component {
	return c.program("kube-apiserver", c.URL+"/readyz",
		"--etcd-servers=http://"+address(c.ports.etcd), "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", c.ports.apiServer), "--endpoint-reconciler-type=none",
		"--service-cluster-ip-range=10.0.0.0/16", "--allow-privileged=true", "--authorization-mode=Node,RBAC",
		"--delete-collection-workers=16",
		"--tls-cert-file="+c.path("apiserver.crt"), "--tls-private-key-file="+c.path("apiserver.key"),
		"--client-ca-file="+c.path("ca.crt"), "--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file="+c.path("service-accounts.crt"),
		"--service-account-signing-key-file="+c.path("service-accounts.key"))
}

func (c *Cluster) controllerManager() *component {
	return c.program("kube-controller-manager", "https://"+address(c.ports.controllerManager)+"/healthz",
		"--kubeconfig="+c.path("controller-manager.kubeconfig"), "--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", c.ports.controllerManager), "--leader-elect=false",
		"--use-service-account-credentials=true", "--service-account-private-key-file="+c.path("service-accounts.key"),
		"--root-ca-file="+c.path("ca.crt"), "--cluster-signing-cert-file="+c.path("ca.crt"),
		"--cluster-signing-key-file="+c.path("ca.key"), "--kube-api-qps=2000", "--kube-api-burst=4000",
		fmt.Sprintf("--node-monitor-grace-period=%v", c.options.nodeLease()+10*time.Second))
}

func (c *Cluster) scheduler() *component {
	return c.program("kube-scheduler", "https://"+address(c.ports.scheduler)+"/readyz",
		"--kubeconfig="+c.path("scheduler.kubeconfig"), "--bind-address=127.0.0.1",
		fmt.Sprintf("--secure-port=%d", c.ports.scheduler), "--leader-elect=false",
		"--kube-api-qps=1000", "--kube-api-burst=2000")
}

// kwok plays the kubelets: nodes become Ready, bound pods run. A node or pod with the annotation CustomStatus keeps the
// status that a test gives it.
func (c *Cluster) kwok() *component {
	args := []string{"--kubeconfig=" + c.path("kwok.kubeconfig"), "--manage-all-nodes=true", "--cidr=10.244.0.0/16",
		"--node-ip=127.0.0.1", fmt.Sprintf("--node-lease-duration-seconds=%.0f", c.options.nodeLease().Seconds()),
		"--server-address=" + address(c.ports.kwok),
		"--disregard-status-with-annotation-selector=" + CustomStatus + "=custom"}
	for _, stage := range []string{"node-initialize", "node-heartbeat-with-lease", "pod-ready", "pod-complete", "pod-delete"} {
		args = append(args, "--config="+c.options.Programs+"/manifests/kwok/"+stage+".yaml")
	}
	return c.program("kwok", "http://"+address(c.ports.kwok)+"/healthz", args...)
}

func (c *Cluster) trainingOperator() *component {
	operator := c.program("training-operator", "http://"+address(c.ports.operatorHealth)+"/readyz",
		"--kubeconfig="+c.path("training-operator.kubeconfig"), "--health-address="+address(c.ports.operatorHealth),
		fmt.Sprintf("--webhook-port=%d", c.ports.operatorWebhook))
	operator.command.Env = []string{"CERT_DIR=" + c.path("operator-certificates"), "MY_POD_NAMESPACE=kubeflow"}
	return operator
}

// CustomStatus is the annotation that takes a node's or pod's status out of KWOK's hands.
const CustomStatus = "kwok.x-k8s.io/status"
