// Package e2e holds what users see of toposeg on a real control plane. See README.md.
package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"toposeg.io/tests/e2e/controlplane"
	"toposeg.io/tests/e2e/crds"
	"toposeg.io/tests/e2e/lws"
	"toposeg.io/tests/e2e/native"
	"toposeg.io/tests/e2e/nodes"
	"toposeg.io/tests/e2e/webhookproc"
)

// What all scenarios share. Each has its own namespace and its own nodes, and leaves nothing behind.
var (
	cluster *controlplane.Cluster
	webhook *webhookproc.Webhook
	cli     string // the program toposeg
	logs    string
	running context.Context // ends with an interrupt
)

func TestMain(m *testing.M) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	running = ctx
	stop, err := startAll(ctx)
	if err != nil {
		stop()
		fmt.Fprintf(os.Stderr, "e2e: %v\nlogs: %s\n", err, logs)
		os.Exit(1)
	}
	go func() { // an interrupt ends what was started; a second one ends us at once
		<-ctx.Done()
		cancel()
		stop()
		os.Exit(130)
	}()
	status := m.Run()
	speed.collect(ctx)
	stop()
	speed.print()
	tellLogs(status)
	os.Exit(status)
}

// ends is what has to be ended, in the reverse order of its start.
type ends []func()

func (e *ends) push(end func()) { *e = append(*e, end) }

func (e *ends) all() {
	for i := len(*e) - 1; i >= 0; i-- {
		(*e)[i]()
	}
	*e = nil
}

// startAll gives a stop that ends whatever had been started, also after an error.
func startAll(ctx context.Context) (stop func(), err error) {
	started := &ends{}
	if logs, err = logFolder(); err != nil {
		return started.all, err
	}
	loud, err := quietClients()
	if err != nil {
		return started.all, err
	}
	started.push(loud)
	server, err := program("TOPOSEG_WEBHOOK", "toposeg-webhook")
	if err != nil {
		return started.all, err
	}
	if cli, err = program("TOPOSEG", "toposeg"); err != nil {
		return started.all, err
	}
	if err := startCluster(ctx, started); err != nil {
		return started.all, err
	}
	if webhook, err = webhookproc.Start(ctx, cluster, server, chart); err != nil {
		return started.all, err
	}
	started.push(webhook.Stop)
	return started.all, nil
}

// startCluster runs the control plane with all kinds, the topology and the stand-ins for operators.
func startCluster(ctx context.Context, started *ends) error {
	programs, err := builtPrograms()
	if err != nil {
		return err
	}
	kinds, err := crds.Manifests()
	if err != nil {
		return err
	}
	options := controlplane.Options{Programs: programs, Logs: logs, Kinds: kinds}
	if isLarge() { // the leases of 5,000 nodes alone would keep the API server busy
		options.NodeLease = 20 * time.Minute
	}
	if cluster, err = controlplane.Start(ctx, options); err != nil {
		return err
	}
	started.push(cluster.Stop)
	if err := cluster.Apply(ctx, nodes.Topology); err != nil {
		return err
	}
	for _, start := range []func(context.Context, *controlplane.Cluster) (func(), error){lws.Start, native.Start} {
		end, err := start(ctx, cluster)
		if err != nil {
			return err
		}
		started.push(end)
	}
	return nil
}

// chart is the product's own, installed without helm's own records.
const chart = "../../charts/toposeg"

// builtPrograms is the folder of the control plane's components, built if need be.
func builtPrograms() (string, error) {
	if folder := os.Getenv("TOPOSEG_E2E_PROGRAMS"); folder != "" {
		return folder, nil
	}
	build := exec.Command("./build")
	build.Stderr = os.Stderr
	folder, err := build.Output()
	return strings.TrimSpace(string(folder)), err
}

// program finds one of ours: by its variable, else where the release preset puts it.
func program(variable, name string) (string, error) {
	path := os.Getenv(variable)
	if path == "" {
		path = filepath.Join("..", "..", "build", "release", name)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if _, err := exec.LookPath(path); err != nil {
		return "", fmt.Errorf("%w: build it (cmake --preset release && cmake --build build/release), or name it in %s", err, variable)
	}
	return path, nil
}
