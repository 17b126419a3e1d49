package webhookproc

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"toposeg.io/tests/e2e/await"
)

var probe = schema.GroupVersionResource{Group: "kubeflow.org", Version: "v1", Resource: "pytorchjobs"}

// Register makes the API server call the webhook; it returns when it does.
func (w *Webhook) Register(ctx context.Context) error {
	hooks, err := w.cluster.ByURL(w.chart.hooks(), w.Port)
	if err != nil {
		return err
	}
	if err := w.cluster.Apply(ctx, hooks); err != nil {
		return err
	}
	return w.waitUntilCalled(ctx, true)
}

// Unregister makes the API server stop calling it; it returns when that is so.
func (w *Webhook) Unregister(ctx context.Context) error {
	err := w.cluster.Client.AdmissionregistrationV1().MutatingWebhookConfigurations().Delete(ctx, "toposeg", metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	return w.waitUntilCalled(ctx, false)
}

// waitUntilCalled sends jobs on a dry run until one comes back with our label on its workers, or without.
func (w *Webhook) waitUntilCalled(ctx context.Context, called bool) error {
	return await.Until(ctx, patience, "webhook registration in force", func(ctx context.Context) string {
		answer, err := w.cluster.Dynamic.Resource(probe).Namespace("default").Create(ctx, probeJob(), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if err != nil {
			return err.Error()
		}
		label, _, _ := unstructured.NestedString(answer.Object, "spec", "pytorchReplicaSpecs", "Worker", "template", "metadata", "labels", "toposeg.io/managed")
		if (label == "true") != called {
			return "the API server does not know yet"
		}
		return ""
	})
}

func probeJob() *unstructured.Unstructured {
	job := &unstructured.Unstructured{}
	_ = yaml.Unmarshal([]byte(`
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: registration-probe}
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 2
      template:
        metadata:
          annotations:
            kai.scheduler/topology: cluster-topology
            kai.scheduler/segment-size: "2"
            kai.scheduler/segment-topology-preferred-placement: cloud.provider.com/topology-rack
        spec: {containers: [{name: pytorch, image: example.com/train:1}]}
`), &job.Object)
	return job
}
