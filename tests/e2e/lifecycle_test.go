package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	apiwatch "k8s.io/apimachinery/pkg/watch"

	"toposeg.io/tests/e2e/judge"
	"toposeg.io/tests/e2e/nodes"
)

func TestAWorkerThatIsDeletedComesBackToTheRackOfItsSegment(t *testing.T) {
	s := begin(t, small)
	one := job{name: "restarted", workers: 8, segment: 4, required: nodes.Rack, gpus: 4}
	s.create(one.yaml())
	before := s.waitRunning("restarted", one.pods())
	rack := judge.PyTorchJob(before, s.where(), "restarted", 4)[0].Domain(2)
	worker := podNamed(before, "restarted-worker-0")
	s.kubectl("", "delete", "pod", worker.Name, "--now")
	after := s.waitPods("restarted", "the worker made again", func(pods []corev1.Pod) bool {
		again := podNamed(pods, worker.Name)
		return again != nil && again.UID != worker.UID && countRunning(pods) == one.pods()
	})
	if now := judge.PyTorchJob(after, s.where(), "restarted", 4)[0].Domain(2); now != rack {
		t.Errorf("segment 0 was in %s, now it is in %q", rack, now)
	}
}

func TestTheWorkersOfANodeThatIsDeletedComeBackToTheirRack(t *testing.T) {
	s := begin(t, small)
	one := job{name: "moved", workers: 4, segment: 4, required: nodes.Rack, gpus: 4, noMaster: true}
	s.create(one.yaml())
	before := s.waitRunning("moved", 4)
	lost := before[0].Spec.NodeName
	must(t, nodes.Delete(s.ctx, cluster.Client, lost))
	for _, pod := range before { // the pod collector does the same, after a minute
		if pod.Spec.NodeName == lost {
			s.kubectl("", "delete", "pod", pod.Name, "--grace-period=0", "--force")
		}
	}
	after := s.waitPods("moved", "4 pods running elsewhere", func(pods []corev1.Pod) bool {
		for i := range pods {
			if pods[i].Spec.NodeName == lost {
				return false
			}
		}
		return len(pods) == 4 && countRunning(pods) == 4
	})
	for _, segment := range judge.Split(judge.PyTorchJob(after, s.where(), "moved", 4), nodes.Rack) {
		t.Errorf("split: %v", segment)
	}
}

func TestTheWorkersOfANodeThatIsDrainedStayInTheirRack(t *testing.T) {
	s := begin(t, small)
	one := job{name: "drained", workers: 4, segment: 4, required: nodes.Rack, gpus: 4, noMaster: true}
	s.create(one.yaml())
	pods := s.waitRunning(one.name, 4)
	before, node := judge.PyTorchJob(pods, s.where(), one.name, 4)[0], pods[0].Spec.NodeName
	s.kubectl("", "drain", node, "--timeout="+patience.String())
	after := s.waitPods(one.name, "4 pods running elsewhere", func(pods []corev1.Pod) bool {
		return countRunning(pods) == 4 && len(pods) == 4 && !slices.ContainsFunc(pods, func(pod corev1.Pod) bool { return pod.Spec.NodeName == node })
	})
	if now := judge.PyTorchJob(after, s.where(), one.name, 4)[0]; now.Domain(2) != before.Domain(2) {
		t.Errorf("the segment was in %s, now it is in %q: %v", before.Domain(2), now.Domain(2), now)
	}
}

func podNamed(pods []corev1.Pod, name string) *corev1.Pod {
	for i := range pods {
		if pods[i].Name == name {
			return &pods[i]
		}
	}
	return nil
}

func TestWorkersThatAreAddedToAJobFormSegmentsOfTheirOwn(t *testing.T) {
	s := begin(t, small)
	one := job{name: "grown", workers: 8, segment: 4, required: nodes.Rack, gpus: 4, noMaster: true}
	s.create(one.yaml())
	s.runsUnsplit(one)
	s.scale(&one, 16)
	s.runsUnsplit(one)
}

// scale gives a job another number of workers.
func (s *scenario) scale(j *job, workers int) {
	s.t.Helper()
	j.workers = workers
	replicas := fmt.Sprintf(`{"spec":{"pytorchReplicaSpecs":{"Worker":{"replicas":%d}}}}`, workers)
	s.kubectl("", "patch", "pytorchjob", j.name, "--type=merge", "--patch", replicas)
}

func TestWorkersThatAreTakenFromAJobMakeRoom(t *testing.T) {
	s := begin(t, pair)
	one := job{name: "shrunk", workers: 8, segment: 4, required: nodes.Rack, gpus: 4, noMaster: true} // both racks
	s.create(one.yaml())
	s.runsUnsplit(one)
	next := wholeRack("next")
	s.create(next.yaml())
	s.isWaiting(next)
	s.scale(&one, 4)
	s.runsUnsplit(next)
	s.runsUnsplit(one)
}

// roomForOne lets a job of two segments in where only one of them has room: one rack is free, of the other one host.
func (s *scenario) roomForOne(j job) {
	s.t.Helper()
	s.load(func(host int) int { return []int{0, 0, fullHost, 0}[host] })
	if warnings := s.create(j.yaml()); !strings.Contains(warnings, "segment 1") {
		s.t.Errorf("the user is not told that segment 1 waits: %q", warnings)
	}
	s.waitPods(j.name, "segment 0 running, segment 1 gated", func(pods []corev1.Pod) bool {
		return len(pods) == j.pods() && countRunning(pods) == j.segment && countGated(pods) == j.pods()-j.segment
	})
	s.onlyWaits(j, 1, "no rack can hold 4 pods")
}

// onlyWaits checks that the pods of one segment are held and say why, and that each other segment is in one rack.
func (s *scenario) onlyWaits(j job, segment int, reason string) {
	s.t.Helper()
	pods := s.pods(j.name)
	for _, one := range judge.PyTorchJob(pods, s.where(), j.name, j.segment) {
		if one.Index != segment {
			if len(judge.Split([]judge.Segment{one}, nodes.Rack)) > 0 {
				s.t.Errorf("split: %v", one)
			}
			continue
		}
		for _, member := range one.Pods {
			pod := podNamed(pods, member.Name)
			if said := pod.Annotations["toposeg.io/reason"]; !isGated(pod) || !strings.Contains(said, reason) {
				s.t.Errorf("%s: gated %t, and says %q", pod.Name, isGated(pod), said)
			}
		}
	}
}

func TestAnElasticJobRunsWithWhatItNeedsAndGrowsWhenThereIsRoom(t *testing.T) {
	s := begin(t, pair)
	one := job{name: "elastic", workers: 8, least: 4, segment: 4, required: nodes.Rack, gpus: 4, noMaster: true}
	s.roomForOne(one)
	if output, status := s.toposeg("status", "pytorchjob/elastic"); status != 0 {
		t.Errorf("exit status %d of a job that has all it needs: %s", status, output)
	}
	s.vacate(2)
	s.goesOn(one)
	s.scale(&one, 4)
	s.runsUnsplit(one)
	s.scale(&one, 8)
	s.runsUnsplit(one)
}

func TestAJobThatIsNotElasticIsShortOfTheSegmentThatWaits(t *testing.T) {
	s := begin(t, pair)
	one := job{name: "rigid", workers: 8, segment: 4, required: nodes.Rack, gpus: 4, noMaster: true}
	s.roomForOne(one)
	if output, status := s.toposeg("status", "pytorchjob/rigid"); status != 1 {
		t.Errorf("exit status %d of a job of which a needed segment waits: %s", status, output)
	}
}

func TestASuspendedJobHoldsNoSpaceAndIsPlacedWhenItIsResumed(t *testing.T) {
	s := begin(t, pair)
	sleeper := wholeRack("sleeper")
	sleeper.suspended = true
	s.create(sleeper.yaml())
	other := job{name: "other", workers: 8, segment: 4, required: nodes.Rack, gpus: 4, noMaster: true} // both racks
	s.create(other.yaml())
	s.runsUnsplit(other)
	s.kubectl("", "delete", "pytorchjob", "other")
	s.waitPods("other", "gone", func(pods []corev1.Pod) bool { return len(pods) == 0 })
	s.seen("all hosts free", func(string) bool { return true })
	s.kubectl("", "patch", "pytorchjob", "sleeper", "--type=merge", "--patch", `{"spec":{"runPolicy":{"suspend":false}}}`)
	s.runsUnsplit(sleeper)
}

// runsInRacks checks every group of a set, once its pods run.
func (s *scenario) runsInRacks(l leaderWorkerSet) []corev1.Pod {
	s.t.Helper()
	pods := s.waitRunning(l.name, l.replicas*l.size)
	group := judge.Group{Size: l.size, SubGroup: l.subGroup, LeaderExcluded: l.excluded}
	segments := judge.LeaderWorkerSet(pods, s.where(), l.name, group)
	for _, segment := range judge.Split(segments, nodes.Rack) {
		s.t.Errorf("split: %v", segment)
	}
	return pods
}

func TestLeadersJoinTheFirstSegmentOrStandApart(t *testing.T) {
	s := begin(t, small)
	for _, set := range []leaderWorkerSet{
		{name: "joined", replicas: 2, size: 5, subGroup: 2, required: nodes.Rack, gpus: 4},
		{name: "apart", replicas: 2, size: 5, subGroup: 2, excluded: true, required: nodes.Rack, gpus: 4},
	} {
		s.create(set.yaml())
		s.runsInRacks(set)
	}
}

// A set of which the leader takes its time, in a cluster that it fills together with another job.
var slow = leaderWorkerSet{name: "slow", replicas: 1, size: 4, subGroup: 4, required: nodes.Rack, gpus: 4, leaderReady: true, customLeader: true}

// comesBetween submits a job after the leader of the slow set is bound and before its workers come.
func (s *scenario) comesBetween(other job) {
	s.t.Helper()
	s.create(slow.yaml())
	s.waitPods(slow.name, "the leader bound", func(pods []corev1.Pod) bool { return len(pods) == 1 && pods[0].Spec.NodeName != "" })
	s.create(other.yaml())
	s.waitRunning(other.name, other.pods())
	s.becomesReady(slow.name + "-0")
}

func TestWorkersThatComeWhenTheLeaderIsReadyFindTheirPlacesKept(t *testing.T) {
	s := begin(t, pair)
	other := wholeRack("other") // what is left of the leader's rack is no place for it
	s.comesBetween(other)
	s.runsInRacks(slow)
	s.runsUnsplit(other)
}

func TestWithoutTheWebhookWorkersThatComeLateFindTheirPlacesTaken(t *testing.T) {
	s := begin(t, pair)
	s.withoutWebhook()
	s.comesBetween(wholeRack("other"))
	pods := s.waitRunning(slow.name, slow.size)
	if split := judge.Split(judge.LeaderWorkerSet(pods, s.where(), slow.name, judge.Group{Size: 4, SubGroup: 4}), nodes.Rack); len(split) == 0 {
		t.Error("the group was not split, so the other test shows nothing")
	}
}

func TestGroupsThatAreAddedByScaleKeepTheirSegmentsTogether(t *testing.T) {
	s := begin(t, small)
	set := leaderWorkerSet{name: "scaled", replicas: 1, size: 3, subGroup: 3, required: nodes.Rack, gpus: 4}
	s.create(set.yaml())
	s.runsInRacks(set)
	s.kubectl("", "scale", "leaderworkerset", "scaled", "--replicas=4")
	set.replicas = 4
	s.runsInRacks(set)
	s.kubectl("", "scale", "leaderworkerset", "scaled", "--replicas=2")
	set.replicas = 2
	s.runsInRacks(set)
}

// becomesReady does what a kubelet does for a pod with a status of its own.
func (s *scenario) becomesReady(pod string) {
	s.t.Helper()
	status := `{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}`
	_, err := cluster.Client.CoreV1().Pods(s.namespace).Patch(s.ctx, pod, types.StrategicMergePatchType, []byte(status), metav1.PatchOptions{}, "status")
	must(s.t, err)
}

func TestARollingUpdateWithSurgeKeepsEverySegmentInOneRack(t *testing.T) {
	s := begin(t, small)
	set := leaderWorkerSet{name: "rolling", replicas: 3, size: 3, subGroup: 3, required: nodes.Rack, gpus: 2, surge: 1}
	manifest := set.yaml()
	s.kubectl(manifest, "apply", "-f", "-")
	before := s.runsInRacks(set)
	surged := s.comes("rolling-3")
	s.kubectl(strings.ReplaceAll(manifest, "train:1", "train:2"), "apply", "-f", "-")
	s.waitPods("rolling", "all pods of the new revision", func(pods []corev1.Pod) bool {
		return len(pods) == len(before) && countRunning(pods) == len(before) && allHaveImage(pods, "registry.example.com/train:2")
	})
	surged()
	s.runsInRacks(set)
}

// comes watches for a pod from now on. What it gives waits until the pod came, though it may have gone again since.
func (s *scenario) comes(pod string) (came func()) {
	s.t.Helper()
	watch, err := cluster.Client.CoreV1().Pods(s.namespace).Watch(s.ctx, metav1.ListOptions{FieldSelector: "metadata.name=" + pod})
	must(s.t, err)
	s.t.Cleanup(watch.Stop)
	return func() {
		s.t.Helper()
		select {
		case event := <-watch.ResultChan():
			if event.Type != apiwatch.Added {
				s.t.Errorf("the watch for pod %s says %q", pod, event.Type)
			}
		case <-time.After(patience):
			s.t.Errorf("no pod %s came", pod)
		}
	}
}

func allHaveImage(pods []corev1.Pod, image string) bool {
	for i := range pods {
		if pods[i].Spec.Containers[0].Image != image {
			return false
		}
	}
	return true
}

func TestAGroupThatIsMadeAgainStaysTogether(t *testing.T) {
	s := begin(t, small)
	set := leaderWorkerSet{name: "again", replicas: 2, size: 4, subGroup: 4, required: nodes.Rack, gpus: 4}
	s.create(set.yaml())
	before := s.runsInRacks(set)
	s.kubectl("", "delete", "pod", "again-0-2", "--now")
	s.waitPods("again", "group 0 made again", func(pods []corev1.Pod) bool {
		for index := range set.size {
			name := "again-0"
			if index > 0 {
				name = fmt.Sprintf("again-0-%d", index)
			}
			now := podNamed(pods, name)
			if now == nil || now.UID == podNamed(before, name).UID {
				return false
			}
		}
		return countRunning(pods) == len(before)
	})
	s.runsInRacks(set)
}
