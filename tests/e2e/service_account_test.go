package e2e

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"toposeg.io/tests/e2e/judge"
	"toposeg.io/tests/e2e/native"
	"toposeg.io/tests/e2e/nodes"
)

// platform is a client as a user interface has it: a service account, without a field manager.
func (s *scenario) platform() dynamic.Interface {
	s.t.Helper()
	config, err := cluster.UserConfig(s.platformUser())
	must(s.t, err)
	client, err := dynamic.NewForConfig(config)
	must(s.t, err)
	return client
}

// platformUser is the kubeconfig of a service account that may do everything.
func (s *scenario) platformUser() string {
	s.t.Helper()
	kubeconfig, err := cluster.ServiceAccount(s.ctx, s.namespace, "platform")
	must(s.t, err)
	must(s.t, cluster.Bind(s.ctx, "cluster-admin", s.namespace, "platform"))
	return kubeconfig
}

func (s *scenario) submit(client dynamic.Interface, resource schema.GroupVersionResource, manifest string) *unstructured.Unstructured {
	s.t.Helper()
	one := &unstructured.Unstructured{}
	must(s.t, yaml.Unmarshal([]byte(manifest), &one.Object))
	created, err := client.Resource(resource).Namespace(s.namespace).Create(s.ctx, one, metav1.CreateOptions{})
	must(s.t, err)
	return created
}

func TestANativeWorkloadOfThePlatformHasEachSegmentOnOneHost(t *testing.T) {
	s := begin(t, small)
	s.submit(s.platform(), native.Resource, nativeWorkload)
	segments := judge.PyTorchJob(s.waitRunning("vision", 9), s.where(), "vision", 2)
	if len(segments) != 4 {
		t.Errorf("%d segments, want 4", len(segments))
	}
	for _, segment := range judge.Split(segments, nodes.Host) {
		t.Errorf("not on one host: %v", segment)
	}
}

const nativeWorkload = `
apiVersion: run.ai/v2alpha1
kind: DistributedWorkload
metadata: {name: vision}
spec:
  distributedFramework: {value: PyTorch}
  workers: {value: 8}
  workersPerSegment: {value: 2}
  cpu: {value: "16"}
  memory: {value: 128Gi}
  gpu: {value: "4"}
`

func TestAJobOfThePlatformIsPlacedByItselfAndTheSameByKubectlIsNot(t *testing.T) {
	s := begin(t, small)
	size := job{name: "by-platform", workers: 8, segment: 2, gpus: 4, root: map[string]string{"runai-cli-version": "3.0"}}
	s.submit(s.platform(), pytorchJobs, size.yaml())
	for _, segment := range judge.Split(judge.PyTorchJob(s.waitRunning("by-platform", size.pods()), s.where(), "by-platform", 2), nodes.Host) {
		t.Errorf("not on one host: %v", segment)
	}
	size.name = "by-kubectl"
	if warnings := s.create(size.yaml()); warnings == "" {
		t.Error("kubectl shows no warning that the size alone has no effect")
	}
	created, err := cluster.Dynamic.Resource(pytorchJobs).Namespace(s.namespace).Get(s.ctx, "by-kubectl", metav1.GetOptions{})
	must(t, err)
	added, _, _ := unstructured.NestedString(created.Object, "spec", "pytorchReplicaSpecs", "Worker", "template", "metadata", "annotations",
		"kai.scheduler/segment-topology-preferred-placement")
	if added != "" {
		t.Errorf("a level was added for a kubectl user: %s", added)
	}
}
