// Package controlplane runs a real Kubernetes control plane on 127.0.0.1: etcd, kube-apiserver,
// kube-controller-manager, the stock kube-scheduler, training-operator, and KWOK in the place of kubelets.
package controlplane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"toposeg.io/tests/e2e/process"
)

// Options of a cluster.
type Options struct {
	Programs string // folder with the built components, see tests/e2e/build
	Logs     string // folder that takes the logs of the components; kept
	Kinds    string // manifests of custom kinds, there before the controllers start

	NodeLease time.Duration // after which a silent node is lost; 0 = 40 s. KWOK renews at a quarter of it
}

func (o Options) nodeLease() time.Duration {
	if o.NodeLease == 0 {
		return 40 * time.Second
	}
	return o.NodeLease
}

// Cluster is a running control plane. Its user is kubernetes-admin, as kubeadm makes it.
type Cluster struct {
	URL        string
	Kubeconfig string
	Logs       string
	Webhooks   *Authority // signs the certificates of webhooks
	Config     *rest.Config
	Client     kubernetes.Interface
	Dynamic    dynamic.Interface

	options    Options
	folder     string
	authority  *Authority
	ports      ports
	components map[string]*component
	order      []*component // in which they were started
}

type ports struct {
	etcd, etcdPeer, apiServer, controllerManager, scheduler, kwok, operatorHealth, operatorWebhook int
}

const (
	startPatience = 90 * time.Second
	stopPatience  = 10 * time.Second

	// For what a controller does once it hears of something: up to a minute later when it lost the API server before.
	followPatience = 2 * time.Minute
)

// Start runs everything and returns when every component is healthy. On an error nothing is left running.
func Start(ctx context.Context, options Options) (*Cluster, error) {
	removeStaleFolders()
	folder, err := newFolder()
	if err != nil {
		return nil, err
	}
	c := &Cluster{Logs: options.Logs, options: options, folder: folder, components: map[string]*component{}}
	if err := c.start(ctx); err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

func (c *Cluster) start(ctx context.Context) error {
	if err := errors.Join(os.MkdirAll(c.Logs, 0o755), c.takePorts(), c.writeSecrets()); err != nil {
		return err
	}
	if err := c.run(ctx, c.etcd()); err != nil {
		return err
	}
	if err := c.run(ctx, c.apiServer()); err != nil {
		return err
	}
	if err := c.connect(ctx); err != nil {
		return err
	}
	if err := c.installKinds(ctx); err != nil { // the garbage collector looks for new kinds only every half minute
		return err
	}
	if err := c.run(ctx, c.controllerManager(), c.scheduler(), c.kwok()); err != nil {
		return err
	}
	if err := c.installOperator(ctx); err != nil {
		return err
	}
	return c.run(ctx, c.trainingOperator())
}

// run starts programs side by side and waits for all of them.
func (c *Cluster) run(ctx context.Context, programs ...*component) error {
	for _, program := range programs {
		running, err := process.Start(program.command)
		if err != nil {
			return err
		}
		program.running = running
		c.components[program.command.Name] = program
		c.order = append(c.order, program)
	}
	for _, program := range programs {
		if err := c.waitHealthy(ctx, program); err != nil {
			return err
		}
	}
	return nil
}

// Stop ends every component, the last one first, and removes the cluster's folder. Logs stay.
func (c *Cluster) Stop() {
	for i := len(c.order) - 1; i >= 0; i-- {
		if c.order[i].running != nil {
			c.order[i].running.Stop(stopPatience)
		}
	}
	_ = os.RemoveAll(c.folder)
}

// Process is a component by the name of its program.
func (c *Cluster) Process(name string) *process.Process { return c.components[name].running }

// Restart ends a component at once, starts it again and waits until it is healthy.
func (c *Cluster) Restart(ctx context.Context, name string) error { return c.RestartWith(ctx, name) }

// RestartWith does it with further arguments, for this time only; an option that is given twice has the later value.
func (c *Cluster) RestartWith(ctx context.Context, name string, args ...string) error {
	program := c.components[name]
	program.running.Kill()
	command := program.command
	command.Args = append(slices.Clip(command.Args), args...)
	running, err := process.Start(command)
	if err != nil {
		return err
	}
	program.running = running
	return c.waitHealthy(ctx, program)
}

// Program is the path of a built component, such as helm.
func (c *Cluster) Program(name string) string { return filepath.Join(c.options.Programs, name) }

// Folder is a new folder that goes away with the cluster.
func (c *Cluster) Folder(name string) (string, error) { return os.MkdirTemp(c.folder, name+"-") }

func (c *Cluster) path(name string) string { return filepath.Join(c.folder, name) }

func (c *Cluster) takePorts() error {
	p, err := process.FreePorts(8)
	if err != nil {
		return err
	}
	c.ports = ports{p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]}
	c.URL = fmt.Sprintf("https://%s", address(c.ports.apiServer))
	return nil
}
