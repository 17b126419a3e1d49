package e2e

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"toposeg.io/tests/e2e/judge"
	"toposeg.io/tests/e2e/nodes"
)

// midway waits until some pods of a job are there and more are to come.
func (s *scenario) midway(j job, count int) {
	s.t.Helper()
	s.waitPods(j.name, fmt.Sprintf("at least %d pods created", count), func(pods []corev1.Pod) bool { return len(pods) >= count })
}

func (s *scenario) runsUnsplit(j job) {
	s.t.Helper()
	for _, segment := range judge.Split(judge.PyTorchJob(s.waitRunning(j.name, j.pods()), s.where(), j.name, j.segment), nodes.Rack) {
		s.t.Errorf("split: %v", segment)
	}
}

func TestAnAPIServerThatRestartsAmongThePodsOfAJobSplitsNothing(t *testing.T) {
	s := begin(t, small)
	one := job{name: "restart", workers: 96, segment: 8, required: nodes.Rack, gpus: 1}
	s.create(one.yaml())
	s.midway(one, 8)
	before := s.watchRestarts("expired")
	s.restartAPIServer()
	s.runsUnsplit(one)
	s.watchesBeginAgain(before, "expired") // it no longer has the versions from which the watches would go on
	after := job{name: "after", workers: 16, segment: 8, required: nodes.Rack, gpus: 1}
	s.create(after.yaml())
	s.runsUnsplit(after)
}

func TestAPausedEtcdLosesNothing(t *testing.T) {
	s := begin(t, small)
	one := job{name: "paused", workers: 64, segment: 8, required: nodes.Rack, gpus: 1}
	s.create(one.yaml())
	s.midway(one, 8)
	etcd := cluster.Process("etcd")
	etcd.Pause()
	t.Cleanup(etcd.Resume)
	_, _, err := s.tryKubectl(job{name: "refused", workers: 2, gpus: 1}.yaml(), "create", "--request-timeout=3s", "-f", "-")
	if err == nil {
		t.Error("a job was created while etcd stood still")
	}
	etcd.Resume()
	s.runsUnsplit(one)
}

func TestAWebhookKilledInABurstAndStartedAgainSplitsNothing(t *testing.T) {
	s := begin(t, nodes.Shape{Zones: 2, Blocks: 2, Racks: 2, Hosts: 4})
	jobs := make([]job, 4)
	var manifests string
	for i := range jobs {
		jobs[i] = job{name: fmt.Sprintf("burst-%d", i), workers: 48, segment: 8, required: nodes.Rack, gpus: 1}
		manifests += jobs[i].yaml()
	}
	s.create(manifests)
	s.waitPods("burst", "20 pods created", func(pods []corev1.Pod) bool { return len(pods) >= 20 })
	s.killWebhook()
	seen := s.refused(job{name: "meanwhile", workers: 4, segment: 2, required: nodes.Rack, gpus: 1}.yaml())
	if !strings.Contains(seen, `failed calling webhook "workloads.toposeg.io"`) {
		t.Errorf("the user sees %q", seen)
	}
	must(t, webhook.Restart(s.ctx))
	for _, one := range jobs {
		s.runsUnsplit(one)
	}
}

func TestAJobThatWaitsWhenTheWebhookIsKilledIsServedByTheNextOne(t *testing.T) {
	s := begin(t, pair)
	s.load(func(int) int { return fullHost })
	first, second := wholeRack("first"), wholeRack("second")
	s.queue(first, second)
	s.killWebhook()
	s.vacate(0, 1) // while nobody looks
	must(t, webhook.Restart(s.ctx))
	s.goesOn(first)
	s.staysWaiting(second)
	s.vacate(2, 3)
	s.goesOn(second)
}

func TestWatchesAndPatchesGoOnWithTheTokenThatReplacedARevokedOne(t *testing.T) {
	s := begin(t, pair)
	s.load(func(int) int { return fullHost })
	waiting := s.waitingRack()
	old, err := webhook.RotateToken(s.ctx)
	must(t, err)
	s.restartAPIServer() // cuts every watch, and forgets who was good
	must(t, cluster.Refuses(s.ctx, old))
	s.vacate(2, 3)
	s.runsUnsplit(waiting)
}

// restartAPIServer keeps what its metrics said before.
func (s *scenario) restartAPIServer() {
	s.t.Helper()
	speed.before(s.ctx, byAPIServer)
	must(s.t, cluster.Restart(s.ctx, "kube-apiserver"))
}

// killWebhook keeps what its metrics said before. A test that ends before it starts the webhook again leaves none dead.
func (s *scenario) killWebhook() {
	s.t.Helper()
	s.t.Cleanup(func() {
		if !webhook.Alive() {
			must(s.t, webhook.Restart(s.ctx))
		}
	})
	speed.before(s.ctx, byWebhook)
	webhook.Kill()
}

// trio is one block of three racks with two hosts in each.
var trio = nodes.Shape{Zones: 1, Blocks: 1, Racks: 3, Hosts: 2}

// restartedBeforeItsWorkersCome tells a story up to its end: of a set whose second segment was planned for the last rack,
// since the first one had no room, only the leader has come when the webhook is killed; then the first rack is freed.
// It gives the rack in which the second segment ends.
func (s *scenario) restartedBeforeItsWorkersCome(meanwhile func()) string {
	s.t.Helper()
	s.load(func(host int) int { return []int{fullHost, 0, 0, 0, 0, 0}[host] })
	set := slow
	set.subGroup, set.gpus = 2, 8
	s.create(set.yaml())
	s.waitPods(set.name, "the leader bound", func(pods []corev1.Pod) bool { return len(pods) == 1 && pods[0].Spec.NodeName != "" })
	meanwhile()
	s.killWebhook()
	s.vacate(0)
	must(s.t, webhook.Restart(s.ctx))
	s.becomesReady(set.name + "-0")
	s.runsInRacks(set)
	return s.where()[podNamed(s.pods(set.name), set.name+"-0-2").Spec.NodeName][nodes.Rack]
}

func TestAPlanIsKeptWhenTheWebhookIsKilledBeforeThePodsCome(t *testing.T) {
	s := begin(t, trio)
	if rack := s.restartedBeforeItsWorkersCome(func() {}); rack != "rack-002" {
		t.Errorf("segment 1 was planned for rack-002, now it is in %s", rack)
	}
}

func TestWithoutItsAnnotationAPlanIsMadeAnewWhenTheWebhookIsKilled(t *testing.T) {
	s := begin(t, trio)
	forget := func() { s.kubectl("", "annotate", "leaderworkerset", slow.name, "toposeg.io/plan-") }
	if rack := s.restartedBeforeItsWorkersCome(forget); rack != "rack-000" {
		t.Errorf("segment 1 is in %s, and not in the rack that is free now: the other test shows nothing", rack)
	}
}
