// Package nodes makes KWOK nodes with a network topology: zones of blocks of racks of hosts.
package nodes

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/workqueue"

	"toposeg.io/tests/e2e/await"
)

// Labels of the levels, broad to close.
const (
	Zone  = "topology.kubernetes.io/zone"
	Block = "cloud.provider.com/topology-block"
	Rack  = "cloud.provider.com/topology-rack"
	Host  = "kubernetes.io/hostname"
)

// Levels from broad to close, as in Topology cluster-topology.
var Levels = []string{Zone, Block, Rack, Host}

// Topology is the object that names the levels.
const Topology = `
apiVersion: kai.scheduler/v1alpha1
kind: Topology
metadata: {name: cluster-topology}
spec:
  levels:
  - {nodeLabel: topology.kubernetes.io/zone, alias: zone}
  - {nodeLabel: cloud.provider.com/topology-block, alias: block}
  - {nodeLabel: cloud.provider.com/topology-rack, alias: rack}
  - {nodeLabel: kubernetes.io/hostname}
`

// Shape of a cluster: so many of each in the one above.
type Shape struct {
	Zones, Blocks, Racks, Hosts int
	GPUs                        int64 // of each host; 0 = 8
}

// Count of hosts.
func (s Shape) Count() int { return s.Zones * s.Blocks * s.Racks * s.Hosts }

// Make creates the nodes of a shape, their names beginning with prefix, and waits until pods can run on all of them.
func Make(ctx context.Context, client kubernetes.Interface, prefix string, shape Shape) ([]string, error) {
	all := make([]*corev1.Node, 0, shape.Count())
	for zone := range shape.Zones {
		for block := range shape.Blocks {
			for rack := range shape.Racks {
				for host := range shape.Hosts {
					all = append(all, New(prefix, shape.GPUs, zone, block, rack, host))
				}
			}
		}
	}
	return names(all), Create(ctx, client, all...)
}

// New is one node at its place, with room for anything but GPUs.
func New(prefix string, gpus int64, zone, block, rack, host int) *corev1.Node {
	if gpus == 0 {
		gpus = 8
	}
	name := fmt.Sprintf("%s-host-%d%d%d%d", prefix, zone, block, rack, host)
	has := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("192"), corev1.ResourceMemory: resource.MustParse("2Ti"),
		corev1.ResourcePods: resource.MustParse("110"), "nvidia.com/gpu": *resource.NewQuantity(gpus, resource.DecimalSI),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			Zone: fmt.Sprintf("zone-%d", zone), Block: fmt.Sprintf("block-%d%d", zone, block),
			Rack: fmt.Sprintf("rack-%d%d%d", zone, block, rack), Host: name,
			"kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
		}},
		Status: corev1.NodeStatus{Capacity: has, Allocatable: has},
	}
}

const (
	sideBySide = 8 // requests at a time
	patience   = 2 * time.Minute
	perNode    = 100 * time.Millisecond // more patience for each node
)

// Create adds nodes and waits until they are Ready and have no taint.
func Create(ctx context.Context, client kubernetes.Interface, all ...*corev1.Node) error {
	errors := make([]error, len(all))
	workqueue.ParallelizeUntil(ctx, sideBySide, len(all), func(i int) {
		_, errors[i] = client.CoreV1().Nodes().Create(ctx, all[i], metav1.CreateOptions{})
	})
	for i, err := range errors {
		if err != nil {
			return fmt.Errorf("node %s: %w", all[i].Name, err)
		}
	}
	// One after the other: a list of thousands, asked for again and again, would keep the API server from making them usable.
	for _, node := range all {
		if err := waitUsable(ctx, client, node.Name, patience+time.Duration(len(all))*perNode); err != nil {
			return err
		}
	}
	return nil
}

// WaitUsable waits until a node is Ready and has no taint.
func WaitUsable(ctx context.Context, client kubernetes.Interface, name string) error {
	return waitUsable(ctx, client, name, patience)
}

func waitUsable(ctx context.Context, client kubernetes.Interface, name string, patience time.Duration) error {
	return await.Until(ctx, patience, "node "+name+" usable", func(ctx context.Context) string {
		return unusable(ctx, client, name)
	})
}

// Delete removes nodes. Pods that are still bound to them go when the controllers see it.
func Delete(ctx context.Context, client kubernetes.Interface, names ...string) error {
	errors := make([]error, len(names))
	workqueue.ParallelizeUntil(ctx, sideBySide, len(names), func(i int) {
		errors[i] = client.CoreV1().Nodes().Delete(ctx, names[i], metav1.DeleteOptions{})
	})
	for i, err := range errors {
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("node %s: %w", names[i], err)
		}
	}
	return nil
}

func names(all []*corev1.Node) []string {
	result := make([]string, len(all))
	for i, node := range all {
		result[i] = node.Name
	}
	return result
}

func unusable(ctx context.Context, client kubernetes.Interface, name string) string {
	node, err := client.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{ResourceVersion: "0"})
	if err != nil {
		return err.Error()
	}
	if !ready(node) || len(node.Spec.Taints) > 0 {
		return "it is not Ready or has a taint"
	}
	return ""
}

func ready(node *corev1.Node) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}
