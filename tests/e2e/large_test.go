package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/yaml"

	"toposeg.io/tests/e2e/await"
	"toposeg.io/tests/e2e/controlplane"
	"toposeg.io/tests/e2e/judge"
	"toposeg.io/tests/e2e/nodes"
)

// wide is a cluster of 5,000 hosts: 500 racks of ten.
var wide = nodes.Shape{Zones: 5, Blocks: 10, Racks: 10, Hosts: 10}

// isLarge tells whether large clusters are asked for.
func isLarge() bool { return os.Getenv("TOPOSEG_E2E_LARGE") != "" }

// onlyLarge leaves a test out unless it is asked for.
func onlyLarge(t *testing.T) {
	t.Helper()
	if !isLarge() {
		t.Skip("set TOPOSEG_E2E_LARGE=1 to run it")
	}
}

// beginLarge is begin for what only runs when it is asked for; the hooks get rows of their own in the table of speeds.
func beginLarge(t *testing.T, shape nodes.Shape) *scenario {
	t.Helper()
	onlyLarge(t)
	s := begin(t, shape)
	speed.at(s.ctx, fmt.Sprintf("%d nodes", shape.Count()))
	t.Cleanup(func() { speed.at(s.ctx, "") })
	return s
}

// Racks of ten hosts hold one segment of eight each, so that a hundred of the five hundred are taken.
const (
	burstJobs    = 50
	burstClients = 8
)

func TestLargeBurstOfFiftyJobsKeepsEverySegmentInOneRack(t *testing.T) {
	s := beginLarge(t, wide)
	jobs := make([]job, burstJobs)
	for i := range jobs {
		jobs[i] = job{name: fmt.Sprintf("burst-%02d", i), workers: 16, segment: 8, required: nodes.Rack, gpus: 8, noMaster: true}
	}
	start := time.Now()
	must(t, s.submitAtOnce(jobs))
	submitted := time.Since(start)
	pods := burstJobs * jobs[0].pods()
	all := s.waitRunning("burst", pods)
	speed.note("%d jobs, %d pods from %d clients on %d nodes: created in %v, all running after %v", burstJobs, pods, burstClients,
		wide.Count(), submitted.Round(time.Millisecond), time.Since(start).Round(time.Millisecond))
	where := s.where()
	for _, one := range jobs {
		segments := judge.PyTorchJob(podsOf(all, one.name), where, one.name, one.segment)
		if len(segments) != 2 {
			t.Errorf("%s: %d segments, want 2", one.name, len(segments))
		}
		for _, segment := range judge.Split(segments, nodes.Rack) {
			t.Errorf("split: %v", segment)
		}
	}
}

func podsOf(all []corev1.Pod, job string) []corev1.Pod {
	var own []corev1.Pod
	for _, pod := range all {
		if pod.Labels["training.kubeflow.org/job-name"] == job {
			own = append(own, pod)
		}
	}
	return own
}

// submitAtOnce creates jobs from several clients side by side, each with a connection of its own.
func (s *scenario) submitAtOnce(jobs []job) error {
	work := make(chan job, len(jobs))
	for _, one := range jobs {
		work <- one
	}
	close(work)
	failed := make([]error, burstClients)
	var clients sync.WaitGroup
	for i := range failed {
		clients.Go(func() { failed[i] = s.submitAll(work) })
	}
	clients.Wait()
	return errors.Join(failed...)
}

func (s *scenario) submitAll(work <-chan job) error {
	config, err := cluster.UserConfig(cluster.Kubeconfig)
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	for one := range work {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(one.yaml()), &object.Object); err != nil {
			return err
		}
		if _, err := client.Resource(pytorchJobs).Namespace(s.namespace).Create(s.ctx, object, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
	}
	return nil
}

const crowd = 50_000

func TestLargeClusterIsKnownAgainSoonAfterAStart(t *testing.T) {
	s := beginLarge(t, wide)
	s.crowded = true
	must(t, s.fill(crowd))
	for range 3 {
		s.killWebhook()
		before := s.processorTime("kube-apiserver")
		start := time.Now()
		must(t, webhook.Restart(s.ctx))
		ready := time.Since(start)
		own, err := webhook.ProcessorTime()
		must(t, err)
		now, most, err := residentMiB(webhook.Pid())
		must(t, err)
		speed.note("%d nodes, %d pods: ready %v after the start; resident %d MiB, at most %d MiB; processor time: kube-apiserver %.1f s toposeg-webhook %.1f s",
			wide.Count(), crowd, ready.Round(time.Millisecond), now, most, (s.processorTime("kube-apiserver") - before).Seconds(), own.Seconds())
	}
	known, err := webhook.Count(s.ctx, "toposeg_cache_objects", `kind="pods"`)
	must(t, err)
	if int(known) != crowd {
		t.Errorf("the webhook knows %v pods of %d", known, crowd)
	}
	one := job{name: "late", workers: 16, segment: 8, required: nodes.Rack, gpus: 7, noMaster: true}
	s.create(one.yaml())
	s.runsUnsplit(one)
}

// fill binds pods of others to the scenario's nodes, evenly, and waits until the webhook has seen them. Nobody runs them:
// to the webhook a bound pod is a bound pod.
func (s *scenario) fill(count int) error {
	const sideBySide = 16
	failed := make([]error, sideBySide)
	workqueue.ParallelizeUntil(s.ctx, sideBySide, sideBySide, func(part int) {
		for i := part; i < count && failed[part] == nil; i += sideBySide {
			pod := crowdPod(fmt.Sprintf("crowd-%05d", i), s.nodes[i%len(s.nodes)])
			_, failed[part] = cluster.Client.CoreV1().Pods(s.namespace).Create(s.ctx, pod, metav1.CreateOptions{})
		}
	})
	if err := errors.Join(failed...); err != nil {
		return err
	}
	return await.Until(s.ctx, patience, "webhook sees the crowd", func(ctx context.Context) string {
		known, err := webhook.Count(ctx, "toposeg_cache_objects", `kind="pods"`)
		if err != nil {
			return err.Error()
		}
		if int(known) < count {
			return fmt.Sprintf("%v of %d", known, count)
		}
		return ""
	})
}

// crowdPod is of the size of a usual one: some three kilobytes.
func crowdPod(name, node string) *corev1.Pod {
	pod := strangerPod(name, map[string]string{"app": "crowd", "pod-template-hash": "5f7c9d8b6d"})
	pod.Annotations = map[string]string{controlplane.CustomStatus: "custom", "example.com/config-hash": "0123456789abcdef0123456789abcdef"}
	pod.Spec.NodeName = node
	container := &pod.Spec.Containers[0]
	for i := range 12 {
		container.Env = append(container.Env, corev1.EnvVar{Name: fmt.Sprintf("SETTING_%d", i), Value: "a value of some length"})
	}
	container.Ports = []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}}
	return pod
}

var (
	residentNow  = regexp.MustCompile(`(?m)^VmRSS:\s+(\d+) kB$`)
	residentMost = regexp.MustCompile(`(?m)^VmHWM:\s+(\d+) kB$`)
)

// residentMiB is what the kernel says of a process's memory.
func residentMiB(pid int) (now, most int, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, err
	}
	for field, into := range map[*regexp.Regexp]*int{residentNow: &now, residentMost: &most} {
		found := field.FindSubmatch(status)
		if found == nil {
			return 0, 0, fmt.Errorf("/proc/%d/status has no line like %s", pid, field)
		}
		kilobytes, err := strconv.Atoi(string(found[1]))
		if err != nil {
			return 0, 0, err
		}
		*into = kilobytes / 1024
	}
	return now, most, nil
}
