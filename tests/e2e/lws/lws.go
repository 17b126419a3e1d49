package lws

import (
	"context"
	"crypto/tls"

	"toposeg.io/tests/e2e/controlplane"
)

// Start installs and runs the stand-in as service account lws-controller-manager. Its hooks are registered when it
// returns; stop ends it.
func Start(ctx context.Context, cluster *controlplane.Cluster) (stop func(), err error) {
	kubeconfig, err := cluster.ServiceAccount(ctx, "lws-system", "lws-controller-manager")
	if err != nil {
		return nil, err
	}
	if err := cluster.Bind(ctx, "cluster-admin", "lws-system", "lws-controller-manager"); err != nil {
		return nil, err
	}
	pair, err := cluster.Webhooks.Server()
	if err != nil {
		return nil, err
	}
	certificate, err := tls.X509KeyPair(pair.Certificate, pair.Key)
	if err != nil {
		return nil, err
	}
	webhook, err := Serve(certificate)
	if err != nil {
		return nil, err
	}
	config, err := cluster.UserConfig(kubeconfig)
	if err != nil {
		return nil, err
	}
	controller, err := NewController(config)
	if err != nil {
		return nil, err
	}
	registration, err := cluster.ByURL(Configuration, webhook.Port)
	if err != nil {
		return nil, err
	}
	running, cancel := context.WithCancel(context.Background())
	go func() { _ = controller.Run(running) }()
	stop = func() {
		cancel()
		webhook.Close()
	}
	return stop, cluster.Apply(ctx, registration)
}
