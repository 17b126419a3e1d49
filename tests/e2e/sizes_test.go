package e2e

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"toposeg.io/tests/e2e/await"
	"toposeg.io/tests/e2e/judge"
	"toposeg.io/tests/e2e/nodes"
)

// sizes of jobs, each with hosts that it fills to some four fifths.
var sizes = []struct {
	workers int
	shape   nodes.Shape
	asked   bool // only when TOPOSEG_E2E_LARGE is set
}{
	{16, nodes.Shape{Zones: 2, Blocks: 1, Racks: 2, Hosts: 3}, false},
	{256, nodes.Shape{Zones: 2, Blocks: 2, Racks: 4, Hosts: 4}, false},
	{1000, nodes.Shape{Zones: 4, Blocks: 4, Racks: 5, Hosts: 2}, true},
}

func TestLargeJobsKeepEverySegmentInOneRack(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%d_workers", size.workers), func(t *testing.T) {
			if size.asked {
				onlyLarge(t)
			}
			s := begin(t, size.shape)
			unplaced := s.paceOf(job{name: "plain", workers: size.workers, plain: true, gpus: 1})
			s.removed("plain")
			one := job{name: "large", workers: size.workers, segment: 8, required: nodes.Rack, gpus: 1}
			placed := s.paceOf(one)
			speed.note("%d workers, from create to last bound: %.2f times as long as left alone", size.workers,
				placed.bound.Seconds()/unplaced.bound.Seconds())
			speed.note("  left alone: %v\n  placed:     %v", unplaced, placed)
			segments := judge.PyTorchJob(s.waitRunning("large", one.pods()), s.where(), "large", 8)
			if want := size.workers / 8; len(segments) != want {
				t.Errorf("%d segments, want %d", len(segments), want)
			}
			for _, segment := range judge.Split(segments, nodes.Rack) {
				t.Errorf("split: %v", segment)
			}
		})
	}
}

// isLarge tells whether large clusters are asked for.
func isLarge() bool { return os.Getenv("TOPOSEG_E2E_LARGE") != "" }

// onlyLarge leaves a test out unless it is asked for.
func onlyLarge(t *testing.T) {
	t.Helper()
	if !isLarge() {
		t.Skip("set TOPOSEG_E2E_LARGE=1 to run it")
	}
}

// pace of a job: how long after its creation all of its pods were there, and were bound; and what each program worked
// meanwhile.
type pace struct {
	created, bound time.Duration
	worked         map[string]time.Duration
}

func (p pace) String() string {
	text := fmt.Sprintf("all created after %v, bound after %v; processor time:", p.created.Round(time.Millisecond), p.bound.Round(time.Millisecond))
	for _, name := range slices.Sorted(maps.Keys(p.worked)) {
		text += fmt.Sprintf(" %s %.1f s", name, p.worked[name].Seconds())
	}
	return text
}

// processorTime that a component has used.
func (s *scenario) processorTime(component string) time.Duration {
	s.t.Helper()
	used, err := cluster.Process(component).ProcessorTime()
	must(s.t, err)
	return used
}

// processorTimes of the programs that have to do with a pod's way to its node.
func (s *scenario) processorTimes() map[string]time.Duration {
	s.t.Helper()
	times := map[string]time.Duration{}
	for _, name := range []string{"etcd", "kube-apiserver", "kube-scheduler", "kwok", "training-operator"} {
		times[name] = s.processorTime(name)
	}
	used, err := webhook.ProcessorTime()
	must(s.t, err)
	times["toposeg-webhook"] = used
	return times
}

// paceOf submits a job and follows its pods. It watches, since asking again and again would be work for the API server.
func (s *scenario) paceOf(j job) pace {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, patience+time.Duration(j.pods())*perPod)
	defer cancel()
	watch, err := cluster.Client.CoreV1().Pods(s.namespace).Watch(ctx, metav1.ListOptions{})
	must(s.t, err)
	defer watch.Stop()
	var p pace
	before := s.processorTimes()
	start := time.Now()
	s.create(j.yaml())
	created, bound := map[string]bool{}, map[string]bool{}
	for event := range watch.ResultChan() {
		pod, ok := event.Object.(*corev1.Pod)
		if !ok || !strings.HasPrefix(pod.Name, j.name+"-") {
			continue
		}
		if created[pod.Name] = true; p.created == 0 && len(created) == j.pods() {
			p.created = time.Since(start)
		}
		if pod.Spec.NodeName != "" {
			bound[pod.Name] = true
		}
		if len(bound) == j.pods() {
			p.bound, p.worked = time.Since(start), s.processorTimes()
			for name := range p.worked {
				p.worked[name] -= before[name]
			}
			s.waitRunning(j.name, j.pods())
			return p
		}
	}
	s.t.Fatalf("%s: %d of %d pods created, %d bound", j.name, len(created), j.pods(), len(bound))
	return p
}

// removed deletes a job and waits until nothing of it is left and the webhook sees its hosts free again. Each worker has a
// Service: while those are collected, the next job would be slower.
func (s *scenario) removed(name string) {
	s.t.Helper()
	s.kubectl("", "delete", "pytorchjob", name)
	s.waitPods(name, "gone", func(pods []corev1.Pod) bool { return len(pods) == 0 })
	s.seen("all hosts free", func(string) bool { return true })
	must(s.t, await.Until(s.ctx, 2*patience, "what "+name+" left behind is collected", func(ctx context.Context) string {
		one := metav1.ListOptions{Limit: 1}
		services, err := cluster.Client.CoreV1().Services(s.namespace).List(ctx, one)
		if err != nil {
			return err.Error()
		}
		slices, err := cluster.Client.DiscoveryV1().EndpointSlices(s.namespace).List(ctx, one)
		if err != nil {
			return err.Error()
		}
		if len(services.Items)+len(slices.Items) > 0 {
			return "there are Services or EndpointSlices"
		}
		return ""
	}))
}

func TestOfTwoJobsThatRaceForTheLastRackOneWaitsWholeAndNoneIsSplit(t *testing.T) {
	s := begin(t, pair)
	s.load(func(host int) int { return []int{8, 2, 0, 0}[host] }) // six GPUs are left in one rack, sixteen in the other
	racers := []job{
		{name: "racer-a", workers: 8, segment: 8, required: nodes.Rack, gpus: 1},
		{name: "racer-b", workers: 8, segment: 8, required: nodes.Rack, gpus: 2, noMaster: true},
	}
	s.create(racers[0].yaml() + racers[1].yaml())
	// Together they want 24 of those sixteen.
	all := func() []corev1.Pod { return append(s.pods("racer-a"), s.pods("racer-b")...) }
	s.waitPods("racer", "one job running, the other gated", func([]corev1.Pod) bool {
		a, b := s.workersOf(racers[0]), s.workersOf(racers[1])
		return len(a) == 8 && len(b) == 8 && (allRun(a) && allGated(b) || allRun(b) && allGated(a))
	})
	for _, racer := range racers {
		if pods := s.workersOf(racer); allRun(pods) {
			for _, segment := range judge.Split(judge.PyTorchJob(pods, s.where(), racer.name, 8), nodes.Rack) {
				t.Errorf("split: %v", segment)
			}
		}
	}
	for _, pod := range all() {
		if isGated(&pod) && !strings.Contains(pod.Annotations["toposeg.io/reason"], "segment 0") {
			t.Errorf("%s waits and does not say why: %q", pod.Name, pod.Annotations["toposeg.io/reason"])
		}
	}
}

func (s *scenario) workersOf(j job) []corev1.Pod { return s.pods(j.name + "-worker") }

func allRun(pods []corev1.Pod) bool {
	for i := range pods {
		if pods[i].Status.Phase != corev1.PodRunning {
			return false
		}
	}
	return true
}

func allGated(pods []corev1.Pod) bool {
	for i := range pods {
		if !isGated(&pods[i]) {
			return false
		}
	}
	return true
}

func TestAStrangerThatTakesTheSpaceBeforeBindingDelaysTheSegmentAndSplitsNothing(t *testing.T) {
	s := begin(t, pair)
	one := wholeRack("late")
	one.gate = "example.com/hold"
	s.create(one.yaml())
	pods := s.waitPods("late", "4 pods decided", func(pods []corev1.Pod) bool { return len(pods) == 4 })
	rack := requiredValue(&pods[0], nodes.Rack)
	if rack == "" {
		t.Fatalf("the pods are not held to a rack: %v", pods[0].Spec.Affinity)
	}
	s.create(stranger("thief", s.nodesWith(nodes.Rack, rack)[0], 6))
	s.waitRunning("thief", 1)
	for i := range pods { // the scheduler hears of this after it heard of the stranger
		s.kubectl("", "patch", "pod", pods[i].Name, "--type=merge", "--patch", `{"spec":{"schedulingGates":null}}`)
	}
	s.waitPods("late", "2 pods running, 2 without room", func(pods []corev1.Pod) bool {
		return countRunning(pods) == 2 && countUnschedulable(pods) == 2
	})
	s.kubectl("", "delete", "pod", "thief", "--now")
	s.runsUnsplit(one)
}

// requiredValue is the value that a pod's affinity asks of a node label, "" if it asks for none.
func requiredValue(pod *corev1.Pod, label string) string {
	affinity := pod.Spec.Affinity
	if affinity == nil || affinity.NodeAffinity == nil || affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return ""
	}
	for _, term := range affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		for _, expression := range term.MatchExpressions {
			if expression.Key == label && len(expression.Values) == 1 {
				return expression.Values[0]
			}
		}
	}
	return ""
}

func (s *scenario) nodesWith(label, value string) []string {
	var names []string
	for _, name := range s.nodes {
		if s.where()[name][label] == value {
			names = append(names, name)
		}
	}
	return names
}

func countRunning(pods []corev1.Pod) int {
	count := 0
	for i := range pods {
		if pods[i].Status.Phase == corev1.PodRunning {
			count++
		}
	}
	return count
}

func countUnschedulable(pods []corev1.Pod) int {
	count := 0
	for i := range pods {
		for _, condition := range pods[i].Status.Conditions {
			if condition.Type == corev1.PodScheduled && condition.Reason == corev1.PodReasonUnschedulable {
				count++
			}
		}
	}
	return count
}
