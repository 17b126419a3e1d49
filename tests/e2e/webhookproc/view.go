package webhookproc

import (
	"context"
	"os"
	"os/exec"
	"strings"

	"toposeg.io/tests/e2e/controlplane"
	"toposeg.io/tests/e2e/process"
)

// view is how the webhook learns of the cluster.
type view interface {
	// arguments that select it, for a process about to start.
	arguments(ctx context.Context) ([]string, error)
	// follow is told of the process that was started with them.
	follow(*process.Process)
	stop()
	// letsWaitingPodsGo tells whether pods that wait get their place when there is room.
	letsWaitingPodsGo() bool
}

// newView chooses for all tests: the live view if the program has it, unless TOPOSEG_E2E_VIEW=snapshot.
func newView(ctx context.Context, cluster *controlplane.Cluster, program, folder, kubeconfig string) (view, error) {
	help, err := exec.CommandContext(ctx, program, "serve", "--help").Output()
	if err != nil {
		return nil, err
	}
	if !strings.Contains(string(help), "--kubeconfig") || os.Getenv("TOPOSEG_E2E_VIEW") == "snapshot" {
		return newSnapshotView(cluster, folder)
	}
	return liveView{kubeconfig}, nil
}

// LetsWaitingPodsGo tells whether pods that wait get their place when there is room, which needs the live view.
func (w *Webhook) LetsWaitingPodsGo() bool { return w.view.letsWaitingPodsGo() }

// liveView lets the webhook watch the API server itself, as its service account.
type liveView struct{ kubeconfig string }

func (v liveView) arguments(context.Context) ([]string, error) {
	return []string{"--kubeconfig", v.kubeconfig}, nil
}
func (liveView) follow(*process.Process) {}
func (liveView) stop()                   {}
func (liveView) letsWaitingPodsGo() bool { return true }
