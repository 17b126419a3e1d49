package lws

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// group is one replica: its leader and the StatefulSet of its workers.
type group struct {
	leader  corev1.Pod
	workers *appsv1.StatefulSet
}

// groups of a set by their index.
func (c *Controller) groups(ctx context.Context, s *set) (map[int]*group, error) {
	leaders, err := c.client.CoreV1().Pods(s.Namespace).List(ctx, metav1.ListOptions{LabelSelector: labelName + "=" + s.Name + "," + labelWorker + "=0"})
	if err != nil {
		return nil, err
	}
	statefulSets, err := c.client.AppsV1().StatefulSets(s.Namespace).List(ctx, metav1.ListOptions{LabelSelector: labelName + "=" + s.Name})
	if err != nil {
		return nil, err
	}
	byName := map[string]*appsv1.StatefulSet{}
	for i := range statefulSets.Items {
		byName[statefulSets.Items[i].Name] = &statefulSets.Items[i]
	}
	result := map[int]*group{}
	for _, leader := range leaders.Items {
		if index, ok := ordinal(leader.Name); ok {
			result[index] = &group{leader, byName[leader.Name]}
		}
	}
	return result, nil
}

// ready tells whether the leader and all workers of the group run.
func (g *group) ready(size int32) bool {
	if g == nil || g.leader.DeletionTimestamp != nil || !isReady(&g.leader) {
		return false
	}
	if size == 1 {
		return true
	}
	return g.workers != nil && ownedBy(g.workers.OwnerReferences, &g.leader) &&
		g.workers.Status.ReadyReplicas == *g.workers.Spec.Replicas
}

func isReady(pod *corev1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}

func ownedBy(owners []metav1.OwnerReference, pod *corev1.Pod) bool {
	for _, owner := range owners {
		if owner.UID == pod.UID {
			return true
		}
	}
	return false
}

// recreateGroup deletes the leader of a worker that ends, so that the whole group is made again, unless the set's
// policy keeps groups, or the group is being deleted anyway.
func (c *Controller) recreateGroup(ctx context.Context, worker *corev1.Pod) {
	object, err := c.dynamic.Resource(Resource).Namespace(worker.Namespace).Get(ctx, worker.Labels[labelName], metav1.GetOptions{})
	if err != nil || object.GetDeletionTimestamp() != nil {
		return
	}
	s, err := readSet(object)
	if err != nil || s.Spec.Template.RestartPolicy == "None" {
		return
	}
	workers, err := c.client.AppsV1().StatefulSets(worker.Namespace).Get(ctx, worker.Annotations[annotationOwner], metav1.GetOptions{})
	if err != nil || workers.DeletionTimestamp != nil || !owns(workers, worker) {
		return
	}
	leader, err := c.client.CoreV1().Pods(worker.Namespace).Get(ctx, workers.Name, metav1.GetOptions{})
	if err != nil || leader.DeletionTimestamp != nil || !ownedBy(workers.OwnerReferences, leader) {
		return
	}
	foreground := metav1.DeletePropagationForeground
	_ = c.client.CoreV1().Pods(worker.Namespace).Delete(ctx, leader.Name, metav1.DeleteOptions{
		PropagationPolicy: &foreground, Preconditions: &metav1.Preconditions{UID: &leader.UID},
	})
}

func owns(statefulSet *appsv1.StatefulSet, pod *corev1.Pod) bool {
	owner := metav1.GetControllerOf(pod)
	return owner != nil && owner.UID == statefulSet.UID
}
