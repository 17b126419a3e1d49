package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"toposeg.io/tests/e2e/await"
	"toposeg.io/tests/e2e/judge"
	"toposeg.io/tests/e2e/nodes"
)

// pair is one block of two racks with two hosts in each. A segment of wholeRack's fills one of the racks.
var pair = nodes.Shape{Zones: 1, Blocks: 1, Racks: 2, Hosts: 2}

func wholeRack(name string) job {
	return job{name: name, workers: 4, segment: 4, required: nodes.Rack, gpus: 4, noMaster: true}
}

// waitingRack is such a job that was created and found no rack.
func (s *scenario) waitingRack() job {
	s.t.Helper()
	waiting := wholeRack("waiting")
	s.create(waiting.yaml())
	s.isWaiting(waiting)
	return waiting
}

const fullHost = 8

// How long something that must not happen is looked at.
const lookFor = 3 * time.Second

// isWaiting waits until all pods of a job are gated and say why.
func (s *scenario) isWaiting(j job) {
	s.t.Helper()
	pods := s.waitPods(j.name, "all pods gated", func(pods []corev1.Pod) bool { return len(pods) == j.pods() && allGated(pods) })
	for _, pod := range pods {
		if reason := pod.Annotations["toposeg.io/reason"]; !strings.Contains(reason, "no rack can hold 4 pods") {
			s.t.Errorf("%s waits and says %q", pod.Name, reason)
		}
	}
}

// queue submits jobs one after the other, each once the one before waits.
func (s *scenario) queue(jobs ...job) {
	s.t.Helper()
	for _, one := range jobs {
		s.create(one.yaml())
		s.isWaiting(one)
	}
}

// goesOn waits until a job that waited runs, unsplit, and notes how long that took.
func (s *scenario) goesOn(j job) {
	s.t.Helper()
	room := time.Now()
	s.waitPods(j.name, "no pod gated", func(pods []corev1.Pod) bool {
		for i := range pods {
			if isGated(&pods[i]) {
				return false
			}
		}
		return len(pods) == j.pods()
	})
	speed.waited(s.t.Name(), time.Since(room))
	s.runsUnsplit(j)
}

// staysWaiting looks for a while that no pod of the job is let go.
func (s *scenario) staysWaiting(j job) {
	s.t.Helper()
	must(s.t, await.Stays(s.ctx, lookFor, j.name+" waits", func(context.Context) string {
		if pods := s.pods(j.name); len(pods) != j.pods() || !allGated(pods) {
			return summary(pods)
		}
		return ""
	}))
}

// allSay waits until every pod of a waiting job gives this reason.
func (s *scenario) allSay(j job, reason string) {
	s.t.Helper()
	must(s.t, await.Until(s.ctx, patience, "every pod of "+j.name+" says: "+reason, func(context.Context) string {
		for _, pod := range s.pods(j.name) {
			if said := pod.Annotations["toposeg.io/reason"]; !strings.Contains(said, reason) {
				return pod.Name + " says: " + said
			}
		}
		return ""
	}))
}

// vacate deletes the strangers on these hosts.
func (s *scenario) vacate(hosts ...int) {
	s.t.Helper()
	for _, host := range hosts {
		s.kubectl("", "delete", "pod", fmt.Sprintf("load-%d", host), "--now")
	}
}

func TestAWaitingJobStartsWhenARackIsFreed(t *testing.T) {
	s := begin(t, pair)
	s.load(func(int) int { return fullHost })
	waiting := wholeRack("waiting")
	if warnings := s.create(waiting.yaml()); !strings.Contains(warnings, "segment 0") {
		t.Errorf("the user is not told that the job waits: %q", warnings)
	}
	s.isWaiting(waiting)
	s.vacate(0, 2)               // one host of each rack: still no rack for the segment
	s.allSay(waiting, " 2 of 4") // either the one rack or both, as it was looked at
	s.staysWaiting(waiting)
	s.vacate(3)
	s.goesOn(waiting)
}

func TestWaitingJobsAreServedInTheOrderInWhichTheyCame(t *testing.T) {
	s := begin(t, pair)
	s.load(func(int) int { return fullHost })
	first, second := wholeRack("first"), wholeRack("second")
	s.queue(first, second)
	s.vacate(2, 3)
	s.goesOn(first)
	s.staysWaiting(second)
	s.vacate(0, 1)
	s.goesOn(second)
}

func TestAWaitingJobThatIsDeletedMakesWayForTheNext(t *testing.T) {
	s := begin(t, pair)
	s.load(func(int) int { return fullHost })
	gone, next := wholeRack("gone"), wholeRack("next")
	s.queue(gone, next)
	s.kubectl("", "delete", "pytorchjob", "gone")
	s.vacate(0, 1)
	s.goesOn(next)
}

func TestAWaitingJobStartsOnNewNodes(t *testing.T) {
	s := begin(t, pair)
	s.load(func(int) int { return fullHost })
	waiting := s.waitingRack()
	for host := range 2 {
		fresh := nodes.New(s.namespace, 0, 0, 0, 2, host)
		s.nodes = append(s.nodes, fresh.Name)
		must(t, nodes.Create(s.ctx, cluster.Client, fresh))
	}
	s.goesOn(waiting)
}

func TestAJobWaitsForANodeThatIsOutOfUseAndStartsWhenItIsBack(t *testing.T) {
	maintenance := corev1.Taint{Key: "example.com/maintenance", Value: "yes", Effect: corev1.TaintEffectNoSchedule}
	for name, use := range map[string]func(s *scenario, node string, in bool) error{
		"cordoned": func(s *scenario, node string, in bool) error {
			return nodes.Cordon(s.ctx, cluster.Client, node, !in)
		},
		"tainted": func(s *scenario, node string, in bool) error {
			if in {
				return nodes.Taint(s.ctx, cluster.Client, node)
			}
			return nodes.Taint(s.ctx, cluster.Client, node, maintenance)
		},
		"not_ready": func(s *scenario, node string, in bool) error {
			return nodes.SetReady(s.ctx, cluster.Client, node, in)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, pair)
			s.load(func(host int) int { return []int{fullHost, fullHost, 0, 0}[host] })
			must(t, use(s, s.nodes[3], false))
			s.seen(name, func(host string) bool { return host == s.nodes[2] })
			waiting := s.waitingRack()
			must(t, use(s, s.nodes[3], true))
			// The node controller takes its own NoExecute taint off every five seconds: until then there is no room.
			must(t, nodes.WaitUsable(s.ctx, cluster.Client, s.nodes[3]))
			s.goesOn(waiting)
		})
	}
}

func TestAWorkerWhosePlaceIsTakenWaitsForItsRack(t *testing.T) {
	s := begin(t, pair)
	one := wholeRack("lost")
	s.create(one.yaml())
	pods := s.waitRunning("lost", 4)
	home := pods[0].Spec.NodeName
	operator := cluster.Process("training-operator")
	operator.Pause() // nobody makes the worker again before the stranger is there
	t.Cleanup(operator.Resume)
	s.kubectl("", "delete", "pod", pods[0].Name, "--now", "--wait=false")
	s.waitPods("lost", "3 pods left", func(pods []corev1.Pod) bool { return len(pods) == 3 })
	s.create(stranger("thief", home, 4))
	s.waitRunning("thief", 1)
	operator.Resume()
	s.waitPods("lost", "the new worker without a place", func(pods []corev1.Pod) bool {
		return len(pods) == 4 && countRunning(pods) == 3 && countGated(pods)+countUnschedulable(pods) == 1
	})
	s.kubectl("", "delete", "pod", "thief", "--now")
	for _, segment := range judge.Split(judge.PyTorchJob(s.waitRunning("lost", 4), s.where(), "lost", 4), nodes.Rack) {
		t.Errorf("split: %v", segment)
	}
}

func countGated(pods []corev1.Pod) int {
	count := 0
	for i := range pods {
		if isGated(&pods[i]) {
			count++
		}
	}
	return count
}

func TestAGroupOfASetThatWaitsStartsWholeInOneRack(t *testing.T) {
	s := begin(t, pair)
	s.load(func(int) int { return fullHost })
	set := leaderWorkerSet{name: "queued", replicas: 1, size: 4, subGroup: 4, required: nodes.Rack, gpus: 4}
	s.create(set.yaml())
	s.waitPods("queued", "leader and workers gated", func(pods []corev1.Pod) bool { return len(pods) == 4 && allGated(pods) })
	s.vacate(0, 2)
	must(t, await.Stays(s.ctx, lookFor, "queued waits", func(context.Context) string {
		if pods := s.pods("queued"); !allGated(pods) {
			return summary(pods)
		}
		return ""
	}))
	s.vacate(1)
	s.runsInRacks(set)
}

func TestAWorkerOfALostNodeWaitsUntilItsRackHasRoomAgain(t *testing.T) {
	s := begin(t, pair)
	one := wholeRack("orphan")
	s.create(one.yaml())
	before := s.waitRunning("orphan", 4)
	lost, rack := before[0].Spec.NodeName, s.where()[before[0].Spec.NodeName][nodes.Rack]
	place, _ := slices.BinarySearch(s.nodes, lost)
	must(t, nodes.Delete(s.ctx, cluster.Client, lost))
	for _, pod := range before {
		if pod.Spec.NodeName == lost {
			s.kubectl("", "delete", "pod", pod.Name, "--grace-period=0", "--force")
		}
	}
	s.waitPods("orphan", "2 running, 2 without a place", func(pods []corev1.Pod) bool {
		return len(pods) == 4 && countRunning(pods) == 2 && countGated(pods)+countUnschedulable(pods) == 2
	})
	must(t, await.Stays(s.ctx, lookFor, "no place in another rack", func(context.Context) string {
		if pods := s.pods("orphan"); countRunning(pods) != 2 {
			return summary(pods)
		}
		return ""
	}))
	must(t, nodes.Create(s.ctx, cluster.Client, nodes.New(s.namespace, 0, 0, 0, place/2, place%2)))
	after := judge.PyTorchJob(s.waitRunning("orphan", 4), s.where(), "orphan", 4)
	if domain := after[0].Domain(2); !strings.HasSuffix(domain, "/"+rack) {
		t.Errorf("the segment was in %s, now it is in %q: %v", rack, domain, after[0])
	}
}
