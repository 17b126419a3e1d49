package nodes

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"toposeg.io/tests/e2e/controlplane"
)

// SetReady says of a node that its kubelet is well or not. From then on KWOK leaves the node's status alone.
func SetReady(ctx context.Context, client kubernetes.Interface, name string, ready bool) error {
	mark := fmt.Sprintf(`{"metadata":{"annotations":{%q:"custom"}}}`, controlplane.CustomStatus)
	if _, err := client.CoreV1().Nodes().Patch(ctx, name, types.MergePatchType, []byte(mark), metav1.PatchOptions{}); err != nil {
		return err
	}
	status := corev1.ConditionFalse
	if ready {
		status = corev1.ConditionTrue
	}
	now := metav1.Now().UTC().Format("2006-01-02T15:04:05Z")
	condition := fmt.Sprintf(`{"status":{"conditions":[{"type":"Ready","status":%q,"reason":"SetByTest","message":"set by a test",`+
		`"lastHeartbeatTime":%q,"lastTransitionTime":%q}]}}`, status, now, now)
	_, err := client.CoreV1().Nodes().Patch(ctx, name, types.StrategicMergePatchType, []byte(condition), metav1.PatchOptions{}, "status")
	return err
}

// Cordon or uncordon a node.
func Cordon(ctx context.Context, client kubernetes.Interface, name string, on bool) error {
	return patch(ctx, client, name, fmt.Sprintf(`{"spec":{"unschedulable":%t}}`, on))
}

// Taint sets the node's taints; none removes them.
func Taint(ctx context.Context, client kubernetes.Interface, name string, taints ...corev1.Taint) error {
	text := "null"
	if len(taints) > 0 {
		text = fmt.Sprintf(`[{"key":%q,"value":%q,"effect":%q}]`, taints[0].Key, taints[0].Value, taints[0].Effect)
	}
	return patch(ctx, client, name, `{"spec":{"taints":`+text+`}}`)
}

func patch(ctx context.Context, client kubernetes.Interface, name, change string) error {
	_, err := client.CoreV1().Nodes().Patch(ctx, name, types.MergePatchType, []byte(change), metav1.PatchOptions{})
	return err
}
