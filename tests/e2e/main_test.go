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
	"sync"
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
	if err := startAll(ctx); err != nil {
		started.all()
		fmt.Fprintf(os.Stderr, "e2e: %v\nlogs: %s\n", err, logs)
		os.Exit(1)
	}
	go func() { // an interrupt ends what was started; a second one ends us at once
		<-ctx.Done()
		cancel()
		started.all()
		os.Exit(130)
	}()
	status := m.Run()
	speed.collect(ctx)
	started.all()
	speed.print()
	tellLogs(status)
	os.Exit(status)
}

// ends is what has to be ended, in the reverse order of its start. Thread safe.
type ends struct {
	mutex sync.Mutex
	list  []func()
}

// started is everything that runs.
var started ends

func (e *ends) push(end func()) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.list = append(e.list, end)
}

func (e *ends) all() {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for i := len(e.list) - 1; i >= 0; i-- {
		e.list[i]()
	}
	e.list = nil
}

// startAll begins what all scenarios need. After an error some of it may run.
func startAll(ctx context.Context) (err error) {
	if logs == "" {
		if logs, err = logFolder(); err != nil {
			return err
		}
	}
	loud, err := quietClients()
	if err != nil {
		return err
	}
	started.push(loud)
	server, err := program("TOPOSEG_WEBHOOK", "toposeg-webhook")
	if err != nil {
		return err
	}
	if cli, err = program("TOPOSEG", "toposeg"); err != nil {
		return err
	}
	if err := startCluster(ctx); err != nil {
		return err
	}
	if webhook, err = webhookproc.Start(ctx, cluster, server, chart); err != nil {
		return err
	}
	started.push(webhook.Stop)
	return nil
}

// startAgain gives a cluster with nothing in it, where emptying this one would take longer than anything else.
func startAgain(ctx context.Context) error {
	speed.before(ctx, byAPIServer, byWebhook)
	started.all()
	return startAll(ctx)
}

// startCluster runs the control plane with all kinds, the topology and the stand-ins for operators.
func startCluster(ctx context.Context) error {
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
