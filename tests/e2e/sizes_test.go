package e2e

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"toposeg.io/tests/e2e/judge"
	"toposeg.io/tests/e2e/nodes"
)

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
