package lws

import (
	"context"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func (c *Controller) writeStatus(ctx context.Context, object *unstructured.Unstructured, s *set, revision string, groups map[int]*group) error {
	var ready, updated int64
	for _, g := range groups {
		if g.ready(s.Spec.Template.Size) {
			ready++
		}
		if g.leader.Labels[labelRevision] == revision {
			updated++
		}
	}
	status := map[string]any{
		"replicas": int64(len(groups)), "readyReplicas": ready, "updatedReplicas": updated,
		"observedGeneration": s.Generation, "hpaPodSelector": labelName + "=" + s.Name + "," + labelWorker + "=0",
	}
	if reflect.DeepEqual(object.Object["status"], status) {
		return nil
	}
	changed := object.DeepCopy()
	changed.Object["status"] = status
	_, err := c.dynamic.Resource(Resource).Namespace(s.Namespace).UpdateStatus(ctx, changed, metav1.UpdateOptions{})
	return err
}
