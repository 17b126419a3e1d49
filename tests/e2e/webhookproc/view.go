package webhookproc

import (
	"context"

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
}

// newView chooses the view for all tests: liveView, or snapshotView for a program without the live mode.
func newView(cluster *controlplane.Cluster, folder, kubeconfig string) (view, error) {
	return newSnapshotView(cluster, folder)
}

// Waits tells whether waiting pods get their place when there is room, which only the live view does.
const Waits = false

// liveView lets the webhook watch the API server itself, as its service account.
type liveView struct{ kubeconfig string }

func (v liveView) arguments(context.Context) ([]string, error) {
	return []string{"--kubeconfig", v.kubeconfig}, nil
}
func (liveView) follow(*process.Process) {}
func (liveView) stop()                   {}
