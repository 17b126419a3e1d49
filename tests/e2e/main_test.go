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
	speed.collectOwn(ctx)
	stop()
	speed.print()
	tellLogs(status)
	os.Exit(status)
}

// startAll gives a stop that ends whatever had been started, also after an error.
func startAll(ctx context.Context) (stop func(), err error) {
	var ends []func()
	stop = func() {
		for i := len(ends) - 1; i >= 0; i-- {
			ends[i]()
		}
		ends = nil
	}
	if logs, err = logFolder(); err != nil {
		return stop, err
	}
	loud, err := quietClients()
	if err != nil {
		return stop, err
	}
	ends = append(ends, loud)
	programs, err := builtPrograms()
	if err != nil {
		return stop, err
	}
	server, err := program("TOPOSEG_WEBHOOK", "toposeg-webhook")
	if err != nil {
		return stop, err
	}
	if cli, err = program("TOPOSEG", "toposeg"); err != nil {
		return stop, err
	}
	kinds, err := crds.Manifests()
	if err != nil {
		return stop, err
	}
	if cluster, err = controlplane.Start(ctx, controlplane.Options{Programs: programs, Logs: logs, Kinds: kinds}); err != nil {
		return stop, err
	}
	ends = append(ends, cluster.Stop)
	if err := cluster.Apply(ctx, nodes.Topology); err != nil {
		return stop, err
	}
	for _, start := range []func(context.Context, *controlplane.Cluster) (func(), error){lws.Start, native.Start} {
		end, err := start(ctx, cluster)
		if err != nil {
			return stop, err
		}
		ends = append(ends, end)
	}
	if webhook, err = webhookproc.Start(ctx, cluster, server, chart); err != nil {
		return stop, err
	}
	ends = append(ends, webhook.Stop)
	return stop, nil
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
