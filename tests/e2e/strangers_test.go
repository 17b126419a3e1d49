package e2e

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"toposeg.io/tests/e2e/nodes"
	"toposeg.io/tests/e2e/webhookproc"
)

// reviews counts what the webhook has been asked so far.
func (s *scenario) reviews(labels ...string) float64 {
	s.t.Helper()
	count, err := webhook.Count(s.ctx, "toposeg_admission_requests_total", labels...)
	must(s.t, err)
	return count
}

func TestPodsOfOthersAreNeverAskedAbout(t *testing.T) {
	s := begin(t, small)
	before := s.reviews()
	for i := range 20 {
		s.createPod(s.namespace, strangerPod(fmt.Sprintf("stranger-%d", i), nil))
	}
	s.create(text(object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": object{"name": "web"}, "spec": object{
		"replicas": 5, "selector": object{"matchLabels": object{"app": "web"}},
		"template": object{"metadata": object{"labels": object{"app": "web"}}, "spec": podSpec("web", 0, nil)},
	}}))
	s.waitRunning("stranger", 20)
	s.waitRunning("web", 5)
	if asked := s.reviews() - before; asked != 0 {
		t.Errorf("the webhook was asked %v times", asked)
	}
	s.create(job{name: "ours", workers: 4, segment: 2, required: nodes.Rack, gpus: 1}.yaml())
	s.waitRunning("ours", 5)
	if asked := s.reviews() - before; asked < 5 {
		t.Errorf("for a job and its 4 workers the webhook was asked %v times: does the count work?", asked)
	}
}

func TestPodsOfAnotherSchedulerAreLeftAsTheyAre(t *testing.T) {
	s := begin(t, small)
	theirs := job{name: "theirs", workers: 4, segment: 2, required: nodes.Rack, gpus: 1, noMaster: true, scheduler: "kai-scheduler"}
	s.create(theirs.yaml())
	pods := s.waitPods(theirs.name, "all there", func(pods []corev1.Pod) bool { return len(pods) == theirs.pods() })
	for _, pod := range pods {
		if pod.Spec.SchedulerName != "kai-scheduler" || pod.Spec.Affinity != nil || pod.Annotations["toposeg.io/domain"] != "" {
			t.Errorf("%s has scheduler %s, affinity %v, annotations %v", pod.Name, pod.Spec.SchedulerName, pod.Spec.Affinity, pod.Annotations)
		}
	}
}

func TestPodsThatKueuePlacesAreLeftAsTheyAre(t *testing.T) {
	s := begin(t, small)
	marked := job{name: "marked", workers: 4, segment: 2, required: nodes.Rack, gpus: 1, noMaster: true,
		worker: map[string]string{"kueue.x-k8s.io/podset-required-topology": nodes.Rack}}
	gated := job{name: "gated", workers: 4, segment: 2, required: nodes.Rack, gpus: 1, noMaster: true, gate: "kueue.x-k8s.io/topology"}
	ours := job{name: "ours", workers: 4, segment: 2, required: nodes.Rack, gpus: 1, noMaster: true, gate: "example.com/hold"}
	s.create(marked.yaml() + gated.yaml() + ours.yaml())
	for _, one := range []job{marked, gated, ours} {
		for _, pod := range s.waitPods(one.name, "all there", func(pods []corev1.Pod) bool { return len(pods) == one.pods() }) {
			touched := pod.Spec.Affinity != nil || pod.Annotations["toposeg.io/domain"] != "" || isGated(&pod)
			if want := one.name == ours.name; touched != want {
				t.Errorf("%s was placed: %t; affinity %v, annotations %v", pod.Name, touched, pod.Spec.Affinity, pod.Annotations)
			}
		}
	}
}

func TestSystemNamespacesAreNeverAskedAbout(t *testing.T) {
	s := begin(t, small)
	before := s.reviews()
	managed := map[string]string{"toposeg.io/managed": "true"}
	for _, namespace := range []string{"kube-system", "kube-public", "kube-node-lease", "toposeg-system"} {
		must(t, cluster.Namespace(s.ctx, namespace))
		s.createPod(namespace, strangerPod("managed", managed))
		t.Cleanup(func() {
			_ = cluster.Client.CoreV1().Pods(namespace).Delete(s.ctx, "managed", *metav1.NewDeleteOptions(0))
		})
	}
	if asked := s.reviews() - before; asked != 0 {
		t.Errorf("the webhook was asked %v times", asked)
	}
	s.createPod(s.namespace, strangerPod("managed", managed))
	if asked := s.reviews() - before; asked == 0 {
		t.Error("the same pod in a user's namespace was not asked about either")
	}
}

func TestPodsAndJobsOfOthersStartWhileTheWebhookIsDownAndOursAreRefused(t *testing.T) {
	s := begin(t, small)
	s.killWebhook()
	before := s.calls()
	s.createPod(s.namespace, strangerPod("stranger-0", nil))
	if asked := s.calls() - before; asked != 0 {
		t.Errorf("for a pod of others the webhook was called %v times", asked)
	}
	s.waitRunning("stranger", 1)
	plain := job{name: "plain", workers: 2, gpus: 1, plain: true}
	s.create(plain.yaml())
	s.waitRunning("plain", plain.pods())
	before = s.calls()
	seen := s.refused(job{name: "ours", workers: 4, segment: 2, required: nodes.Rack, gpus: 1}.yaml())
	if !strings.Contains(seen, `failed calling webhook "workloads.toposeg.io"`) {
		t.Errorf("the user sees %q", seen)
	}
	if s.calls() == before {
		t.Error("the call for a job of ours was not counted either")
	}
}

// calls of our hooks by the API server's own account: what it waits for, also when nobody answers.
func (s *scenario) calls() float64 {
	s.t.Helper()
	return webhookproc.Sum(s.apiServerMetrics(), "apiserver_admission_webhook_admission_duration_seconds_count", `.toposeg.io"`)
}

func (s *scenario) createPod(namespace string, pod *corev1.Pod) {
	s.t.Helper()
	_, err := cluster.Client.CoreV1().Pods(namespace).Create(s.ctx, pod, metav1.CreateOptions{})
	must(s.t, err)
}

func strangerPod(name string, labels map[string]string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "registry.example.com/web:1"}}},
	}
}
