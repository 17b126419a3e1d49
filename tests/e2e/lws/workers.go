package lws

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ensureWorkers makes the worker StatefulSet of each leader that has none: at once, or with LeaderReady when the leader
// is ready. It is never changed afterwards.
func (c *Controller) ensureWorkers(ctx context.Context, s *set, groups map[int]*group) error {
	for _, g := range groups {
		if g.workers != nil || g.leader.DeletionTimestamp != nil {
			continue
		}
		if s.Spec.StartupPolicy == "LeaderReady" && !isReady(&g.leader) {
			continue
		}
		template, err := c.templateOf(ctx, s, g.leader.Labels[labelRevision])
		if err != nil {
			return err
		}
		if template.Size < 2 {
			continue
		}
		_, err = c.client.AppsV1().StatefulSets(s.Namespace).Create(ctx, workerStatefulSet(s, &g.leader, template), metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	return nil
}

func workerStatefulSet(s *set, leader *corev1.Pod, group *groupTemplate) *appsv1.StatefulSet {
	yes, replicas := true, group.Size-1
	selector := map[string]string{
		labelName: s.Name, labelGroup: leader.Labels[labelGroup], labelGroupKey: leader.Labels[labelGroupKey],
	}
	labels := merged(selector, map[string]string{labelRevision: leader.Labels[labelRevision]})
	template := *group.Worker.DeepCopy()
	template.Labels = merged(template.Labels, labels)
	template.Annotations = merged(template.Annotations, group.annotations(), map[string]string{annotationOwner: leader.Name})
	return &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{
			Name: leader.Name, Labels: merged(s.Labels, labels), Annotations: shared(s.Annotations),
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "v1", Kind: "Pod", Name: leader.Name, UID: leader.UID, Controller: &yes, BlockOwnerDeletion: &yes,
			}},
		},
		Spec: appsv1.StatefulSetSpec{
			Replicas: &replicas, Ordinals: &appsv1.StatefulSetOrdinals{Start: 1}, ServiceName: s.Name,
			PodManagementPolicy: appsv1.ParallelPodManagement,
			Selector:            &metav1.LabelSelector{MatchLabels: selector},
			Template:            template,
		},
	}
}
