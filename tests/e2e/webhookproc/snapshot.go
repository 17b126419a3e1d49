package webhookproc

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"toposeg.io/tests/e2e/controlplane"
	"toposeg.io/tests/e2e/process"
)

// snapshotView writes the cluster into the file that `serve --snapshot` reads, again and again.
type snapshotView struct {
	client dynamic.Interface
	file   string
	cancel context.CancelFunc

	mutex   sync.Mutex
	written []byte
	process *process.Process
}

const snapshotTurn = 150 * time.Millisecond

var snapshotResources = []schema.GroupVersionResource{
	{Group: "kai.scheduler", Version: "v1alpha1", Resource: "topologies"},
	{Version: "v1", Resource: "nodes"},
	{Version: "v1", Resource: "pods"},
	{Group: "kubeflow.org", Version: "v1", Resource: "pytorchjobs"},
	{Group: "leaderworkerset.x-k8s.io", Version: "v1", Resource: "leaderworkersets"},
	{Group: "run.ai", Version: "v2alpha1", Resource: "distributedworkloads"},
}

func newSnapshotView(cluster *controlplane.Cluster, folder string) (*snapshotView, error) {
	ctx, cancel := context.WithCancel(context.Background())
	v := &snapshotView{client: cluster.Dynamic, file: filepath.Join(folder, "cluster.json"), cancel: cancel}
	if err := v.write(ctx); err != nil {
		cancel()
		return nil, err
	}
	go v.keep(ctx)
	return v, nil
}

func (v *snapshotView) arguments(ctx context.Context) ([]string, error) {
	return []string{"--snapshot", v.file}, v.write(ctx)
}

func (v *snapshotView) follow(p *process.Process) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.process = p
}

func (v *snapshotView) stop() { v.cancel() }

func (v *snapshotView) letsWaitingPodsGo() bool { return false }

func (v *snapshotView) keep(ctx context.Context) {
	ticker := time.NewTicker(snapshotTurn)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			_ = v.write(ctx) // a turn that fails, as while the API server is away, leaves the last good file
		}
	}
}

// write replaces the file if anything changed, and tells the process.
func (v *snapshotView) write(ctx context.Context) error {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	items := []any{}
	for _, resource := range snapshotResources {
		list, err := v.client.Resource(resource).List(ctx, metav1.ListOptions{ResourceVersion: "0"})
		if err != nil {
			return err
		}
		for _, item := range list.Items {
			item.SetManagedFields(nil)
			items = append(items, item.Object)
		}
	}
	text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	if err != nil || bytes.Equal(text, v.written) {
		return err
	}
	if err := os.WriteFile(v.file+".new", text, 0o644); err != nil {
		return err
	}
	if err := os.Rename(v.file+".new", v.file); err != nil {
		return err
	}
	v.written = text
	if v.process != nil && v.process.Alive() {
		_ = syscall.Kill(v.process.Pid(), syscall.SIGHUP)
	}
	return nil
}
