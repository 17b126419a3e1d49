package e2e

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"toposeg.io/tests/e2e/await"
	"toposeg.io/tests/e2e/judge"
	"toposeg.io/tests/e2e/native"
	"toposeg.io/tests/e2e/nodes"

	"toposeg.io/tests/e2e/lws"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

const (
	// Longer than the pause of a client that found no API server for a while: up to a minute, and each program pauses by
	// itself.
	patience = 2 * time.Minute
	perPod   = 200 * time.Millisecond // more for each pod that has to come

	// For what has to follow by itself. Reservations end after five minutes without a word; these have to end sooner.
	afterwards = patience
)

var pytorchJobs = schema.GroupVersionResource{Group: "kubeflow.org", Version: "v1", Resource: "pytorchjobs"}

// small is a cluster of 2 zones, 2 blocks in each, 2 racks in each, 3 hosts of 8 GPUs in each: 24 hosts.
var small = nodes.Shape{Zones: 2, Blocks: 2, Racks: 2, Hosts: 3}

// scenario is one story with a namespace and nodes of its own.
type scenario struct {
	t         *testing.T
	ctx       context.Context
	namespace string
	nodes     []string
	crowded   bool // so full that its end is the cluster's
}

var scenarios atomic.Int32

// spoilt says that the cluster is not empty and will not be; the next scenario begins with another one.
var spoilt bool

// begin makes the namespace and the nodes; all goes away at the end of the test.
func begin(t *testing.T, shape nodes.Shape) *scenario {
	t.Helper()
	s := &scenario{t: t, ctx: running, namespace: fmt.Sprintf("story-%d", scenarios.Add(1))}
	if spoilt {
		must(t, startAgain(s.ctx))
		spoilt = false
	}
	t.Cleanup(s.end)
	must(t, cluster.Namespace(s.ctx, s.namespace))
	made, err := nodes.Make(s.ctx, cluster.Client, s.namespace, shape)
	s.nodes = made
	must(t, err)
	s.seen("all hosts free", func(string) bool { return true })
	return s
}

// seen waits until the webhook knows exactly the scenario's nodes, free or not as told. A job that came before would be
// planned on the nodes of the scenario before.
func (s *scenario) seen(what string, free func(host string) bool) {
	s.t.Helper()
	must(s.t, await.Until(s.ctx, patience, "webhook sees "+what, func(ctx context.Context) string {
		hosts, err := webhook.Hosts(ctx)
		if err != nil {
			return err.Error()
		}
		if len(hosts) != len(s.nodes) {
			return fmt.Sprintf("%d hosts instead of %d", len(hosts), len(s.nodes))
		}
		for _, name := range s.nodes {
			if host, known := hosts[name]; !known || host.Free != free(name) {
				return fmt.Sprintf("%s: known %t, free %t", name, known, host.Free)
			}
		}
		return ""
	}))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// end removes everything, so that the next scenario finds an empty cluster.
func (s *scenario) end() {
	if s.t.Failed() {
		s.keepState()
	}
	if s.crowded {
		spoilt = true
		return
	}
	background := metav1.DeletePropagationBackground
	for _, resource := range []schema.GroupVersionResource{native.Resource, pytorchJobs, lws.Resource} {
		_ = cluster.Dynamic.Resource(resource).Namespace(s.namespace).DeleteCollection(s.ctx,
			metav1.DeleteOptions{PropagationPolicy: &background}, metav1.ListOptions{})
	}
	_ = cluster.Client.CoreV1().Namespaces().Delete(s.ctx, s.namespace, metav1.DeleteOptions{})
	at := int64(0)
	err := await.Until(s.ctx, 2*patience, "pods of "+s.namespace+" gone", func(ctx context.Context) string {
		_ = cluster.Client.CoreV1().Pods(s.namespace).DeleteCollection(ctx, metav1.DeleteOptions{GracePeriodSeconds: &at}, metav1.ListOptions{})
		left, err := cluster.Client.CoreV1().Pods(s.namespace).List(ctx, metav1.ListOptions{Limit: 100})
		if err != nil {
			return err.Error()
		}
		if len(left.Items) > 0 {
			return "some are left, such as " + left.Items[0].Name
		}
		return ""
	})
	if err != nil {
		s.t.Error(err)
	}
	s.leavesNoReservation()
	if err := nodes.Delete(s.ctx, cluster.Client, s.nodes...); err != nil {
		s.t.Error(err)
	}
}

// leavesNoReservation checks that the webhook holds no space for workloads and pods that are gone.
func (s *scenario) leavesNoReservation() {
	s.t.Helper()
	err := await.Until(s.ctx, afterwards, "reservations of "+s.namespace+" gone", func(ctx context.Context) string {
		held, err := webhook.Held(ctx, s.namespace)
		if err != nil {
			return err.Error()
		}
		return strings.Join(held, "; ")
	})
	if err != nil {
		s.t.Error(err)
	}
}

// kubectl runs in the scenario's namespace; a failure ends the test.
func (s *scenario) kubectl(stdin string, args ...string) (stdout, stderr string) {
	s.t.Helper()
	stdout, stderr, err := s.tryKubectl(stdin, args...)
	must(s.t, err)
	return stdout, stderr
}

func (s *scenario) tryKubectl(stdin string, args ...string) (stdout, stderr string, err error) {
	return cluster.KubectlWith(s.ctx, cluster.Kubeconfig, stdin, append(args, "--namespace="+s.namespace)...)
}

// create submits a manifest as a user does, and gives the warnings.
func (s *scenario) create(manifest string) (warnings string) {
	s.t.Helper()
	_, warnings = s.kubectl(manifest, "create", "-f", "-")
	return warnings
}

// refused submits a manifest that must not be accepted, and gives what the user sees.
func (s *scenario) refused(manifest string) string {
	s.t.Helper()
	_, stderr, err := s.tryKubectl(manifest, "create", "-f", "-")
	if err == nil {
		s.t.Fatalf("this was accepted:\n%s", manifest)
	}
	return stderr
}

// pods of a workload: those of its name, or whose name begins with it and a dash.
func (s *scenario) pods(workload string) []corev1.Pod {
	s.t.Helper()
	pods, err := s.tryPods(s.ctx, workload)
	must(s.t, err)
	return pods
}

func (s *scenario) tryPods(ctx context.Context, workload string) ([]corev1.Pod, error) {
	list, err := cluster.Client.CoreV1().Pods(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	var ours []corev1.Pod
	for _, pod := range list.Items {
		if (pod.Name == workload || strings.HasPrefix(pod.Name, workload+"-")) && pod.DeletionTimestamp == nil {
			ours = append(ours, pod)
		}
	}
	return ours, nil
}

// waitRunning waits until so many pods of the workload run, and no other is there.
func (s *scenario) waitRunning(workload string, count int) []corev1.Pod {
	s.t.Helper()
	return s.waitPodsFor(patience+time.Duration(count)*perPod, workload, fmt.Sprintf("%d pods running", count), func(pods []corev1.Pod) bool {
		running := 0
		for i := range pods {
			if pods[i].Spec.NodeName != "" && pods[i].Status.Phase == corev1.PodRunning {
				running++
			}
		}
		return running == count && len(pods) == count
	})
}

// waitPods waits until the workload's pods are as wanted.
func (s *scenario) waitPods(workload, what string, wanted func([]corev1.Pod) bool) []corev1.Pod {
	s.t.Helper()
	return s.waitPodsFor(patience, workload, what, wanted)
}

func (s *scenario) waitPodsFor(patience time.Duration, workload, what string, wanted func([]corev1.Pod) bool) []corev1.Pod {
	s.t.Helper()
	var pods []corev1.Pod
	must(s.t, await.Until(s.ctx, patience, workload+": "+what, func(ctx context.Context) string {
		now, err := s.tryPods(ctx, workload)
		if err != nil { // an API server or etcd that was held up may refuse a list
			return err.Error()
		}
		if pods = now; wanted(pods) {
			return ""
		}
		return summary(pods)
	}))
	return pods
}

// where are the scenario's nodes, by their labels.
func (s *scenario) where() judge.Nodes {
	list, err := cluster.Client.CoreV1().Nodes().List(s.ctx, metav1.ListOptions{})
	must(s.t, err)
	result := judge.Nodes{}
	for _, node := range list.Items {
		result[node.Name] = node.Labels
	}
	return result
}

// summary of pods in a line, for messages.
func summary(pods []corev1.Pod) string {
	bound, running, gated := 0, 0, 0
	for i := range pods {
		if pods[i].Spec.NodeName != "" {
			bound++
		}
		if pods[i].Status.Phase == corev1.PodRunning {
			running++
		}
		if isGated(&pods[i]) {
			gated++
		}
	}
	return fmt.Sprintf("%d pods: %d bound, %d running, %d gated", len(pods), bound, running, gated)
}

func isGated(pod *corev1.Pod) bool {
	for _, gate := range pod.Spec.SchedulingGates {
		if gate.Name == "toposeg.io/waiting" {
			return true
		}
	}
	return false
}
