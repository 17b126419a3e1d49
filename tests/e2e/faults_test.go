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
	speed.collect(s.ctx)
	must(t, cluster.Restart(s.ctx, "kube-apiserver"))
	s.runsUnsplit(one)
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
	webhook.Kill()
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
	waits(t)
	s := begin(t, pair)
	s.load(func(int) int { return fullHost })
	first, second := wholeRack("first"), wholeRack("second")
	s.queue(first, second)
	webhook.Kill()
	s.vacate(0, 1) // while nobody looks
	must(t, webhook.Restart(s.ctx))
	s.goesOn(first)
	s.staysWaiting(second)
	s.vacate(2, 3)
	s.goesOn(second)
}

func TestAJobThatWaitsWhenTheAPIServerRestartsIsServedAfterwards(t *testing.T) {
	waits(t)
	s := begin(t, pair)
	s.load(func(int) int { return fullHost })
	waiting := wholeRack("waiting")
	s.create(waiting.yaml())
	s.isWaiting(waiting)
	speed.collect(s.ctx)
	must(t, cluster.Restart(s.ctx, "kube-apiserver"))
	s.vacate(2, 3)
	s.runsUnsplit(waiting)
}
