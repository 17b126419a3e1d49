// Package native stands in for the product that owns the native kind: of each DistributedWorkload it makes the
// PyTorchJob that does the work, owned by it, with the annotations and labels of its spec on the worker template.
package native

import (
	"context"
	"fmt"
	"maps"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"

	"toposeg.io/tests/e2e/controlplane"
)

// Resource is where DistributedWorkloads are served.
var Resource = schema.GroupVersionResource{Group: "run.ai", Version: "v2alpha1", Resource: "distributedworkloads"}

var jobs = schema.GroupVersionResource{Group: "kubeflow.org", Version: "v1", Resource: "pytorchjobs"}

// Start runs the stand-in as a service account until stop is called.
func Start(ctx context.Context, cluster *controlplane.Cluster) (stop func(), err error) {
	kubeconfig, err := cluster.ServiceAccount(ctx, "runai", "workload-controller")
	if err != nil {
		return nil, err
	}
	if err := cluster.Bind(ctx, "cluster-admin", "runai", "workload-controller"); err != nil {
		return nil, err
	}
	config, err := cluster.UserConfig(kubeconfig)
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	running, cancel := context.WithCancel(context.Background())
	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
	create := func(object any) { createJob(running, client, object.(*unstructured.Unstructured)) }
	if _, err := factory.ForResource(Resource).Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    create,
		UpdateFunc: func(_, object any) { create(object) },
	}); err != nil {
		cancel()
		return nil, err
	}
	factory.Start(running.Done())
	return cancel, nil
}

// createJob makes the job unless it is there. What went wrong stands in the workload's status, where a user looks.
func createJob(ctx context.Context, client dynamic.Interface, workload *unstructured.Unstructured) {
	if workload.GetDeletionTimestamp() != nil {
		return
	}
	_, err := client.Resource(jobs).Namespace(workload.GetNamespace()).Create(ctx, jobOf(workload), metav1.CreateOptions{})
	if err == nil || apierrors.IsAlreadyExists(err) || ctx.Err() != nil {
		return
	}
	message, _, _ := unstructured.NestedString(workload.Object, "status", "message")
	if message == err.Error() {
		return
	}
	changed := workload.DeepCopy()
	changed.Object["status"] = map[string]any{"message": err.Error()}
	_, _ = client.Resource(Resource).Namespace(workload.GetNamespace()).UpdateStatus(ctx, changed, metav1.UpdateOptions{})
}

func jobOf(workload *unstructured.Unstructured) *unstructured.Unstructured {
	annotations := maps.Clone(workload.GetAnnotations())
	maps.DeleteFunc(annotations, func(key, _ string) bool {
		return key == "kubectl.kubernetes.io/last-applied-configuration" || key == "toposeg.io/plan"
	})
	template := map[string]any{
		"metadata": map[string]any{"annotations": items(workload, "annotations"), "labels": items(workload, "labels")},
		"spec":     podSpec(workload),
	}
	master := map[string]any{"spec": podSpec(workload)}
	job := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"spec": map[string]any{"pytorchReplicaSpecs": map[string]any{
			"Master": map[string]any{"replicas": int64(1), "template": master},
			"Worker": map[string]any{"replicas": value(workload, "workers", int64(1)), "template": template},
		}},
	}}
	job.SetName(workload.GetName())
	job.SetNamespace(workload.GetNamespace())
	job.SetAnnotations(annotations)
	yes := true
	job.SetOwnerReferences([]metav1.OwnerReference{{
		APIVersion: workload.GetAPIVersion(), Kind: workload.GetKind(), Name: workload.GetName(), UID: workload.GetUID(),
		Controller: &yes, BlockOwnerDeletion: &yes,
	}})
	return job
}

func podSpec(workload *unstructured.Unstructured) map[string]any {
	requests := map[string]any{}
	for field, resource := range map[string]string{"cpu": "cpu", "memory": "memory", "gpu": "nvidia.com/gpu"} {
		if amount := value(workload, field, nil); amount != nil {
			requests[resource] = fmt.Sprint(amount)
		}
	}
	spec := map[string]any{"containers": []any{map[string]any{
		"name": "pytorch", "image": value(workload, "image", "example.com/train:1"),
		"resources": map[string]any{"requests": requests, "limits": requests},
	}}}
	if selector := items(workload, "nodeSelector"); len(selector) > 0 {
		spec["nodeSelector"] = selector
	}
	return spec
}

// value reads spec.FIELD.value.
func value(workload *unstructured.Unstructured, field string, otherwise any) any {
	found, ok, _ := unstructured.NestedFieldCopy(workload.Object, "spec", field, "value")
	if !ok {
		return otherwise
	}
	return found
}

// items reads spec.FIELD.items, each {value: X}, as a plain map.
func items(workload *unstructured.Unstructured, field string) map[string]any {
	wrapped, _, _ := unstructured.NestedMap(workload.Object, "spec", field, "items")
	plain := map[string]any{}
	for key, item := range wrapped {
		if fields, ok := item.(map[string]any); ok {
			plain[key] = fields["value"]
		}
	}
	return plain
}
