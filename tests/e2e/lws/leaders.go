package lws

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"
)

const manager = "lws"

// applyLeaders writes the leader StatefulSet, by server-side apply at every turn.
func (c *Controller) applyLeaders(ctx context.Context, s *set, revision string, groups map[int]*group) error {
	present, err := c.client.AppsV1().StatefulSets(s.Namespace).Get(ctx, s.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		present, err = nil, nil
	}
	if err != nil {
		return err
	}
	replicas, partition := rollout(s, present, revision, groups)
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(leaderStatefulSet(s, revision, replicas, partition))
	if err != nil {
		return err
	}
	delete(fields, "status")
	text, err := yaml.Marshal(fields)
	if err != nil {
		return err
	}
	force := true
	_, err = c.client.AppsV1().StatefulSets(s.Namespace).Patch(ctx, s.Name, types.ApplyPatchType, text,
		metav1.PatchOptions{FieldManager: manager, Force: &force})
	return err
}

func leaderStatefulSet(s *set, revision string, replicas, partition int32) *appsv1.StatefulSet {
	template := s.Spec.Template.leader()
	template.Labels = merged(template.Labels, map[string]string{labelName: s.Name, labelWorker: "0", labelRevision: revision})
	template.Annotations = merged(template.Annotations, s.Spec.Template.annotations())
	return &appsv1.StatefulSet{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"},
		ObjectMeta: metav1.ObjectMeta{
			Name: s.Name, Namespace: s.Namespace, OwnerReferences: []metav1.OwnerReference{s.owner()},
			Labels:      merged(s.Labels, map[string]string{labelName: s.Name, labelRevision: revision}),
			Annotations: merged(shared(s.Annotations), map[string]string{annotationCount: itoa(s.Spec.Replicas)}),
		},
		Spec: appsv1.StatefulSetSpec{
			Replicas: &replicas, ServiceName: s.Name, PodManagementPolicy: appsv1.ParallelPodManagement,
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{labelName: s.Name, labelWorker: "0"}},
			Template: template,
			UpdateStrategy: appsv1.StatefulSetUpdateStrategy{
				Type:          appsv1.RollingUpdateStatefulSetStrategyType,
				RollingUpdate: &appsv1.RollingUpdateStatefulSetStrategy{Partition: &partition},
			},
		},
	}
}

// shared annotations are those of the set without kubectl's record of the manifest.
func shared(annotations map[string]string) map[string]string {
	result := merged(annotations)
	delete(result, corev1.LastAppliedConfigAnnotation)
	return result
}

// ensureService makes the headless Service under whose name the pods find each other.
func (c *Controller) ensureService(ctx context.Context, s *set) error {
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{
			Name: s.Name, OwnerReferences: []metav1.OwnerReference{s.owner()}, Labels: map[string]string{labelName: s.Name},
		},
		Spec: corev1.ServiceSpec{
			ClusterIP: corev1.ClusterIPNone, PublishNotReadyAddresses: true, Selector: map[string]string{labelName: s.Name},
		},
	}
	_, err := c.client.CoreV1().Services(s.Namespace).Create(ctx, service, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}
