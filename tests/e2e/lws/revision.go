package lws

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// revisionData is what a revision is made of: the group template and the network, nothing else.
type revisionData struct {
	Spec struct {
		Template json.RawMessage `json:"leaderWorkerTemplate"`
		Network  json.RawMessage `json:"networkConfig"`
	} `json:"spec"`
}

// ensureRevision stores the object's present templates and gives the revision's hash.
func (c *Controller) ensureRevision(ctx context.Context, object *unstructured.Unstructured, s *set) (string, error) {
	template, _, _ := unstructured.NestedFieldNoCopy(object.Object, "spec", "leaderWorkerTemplate")
	network, _, _ := unstructured.NestedFieldNoCopy(object.Object, "spec", "networkConfig")
	text, err := json.Marshal(map[string]any{"spec": map[string]any{"leaderWorkerTemplate": template, "networkConfig": network}})
	if err != nil {
		return "", err
	}
	sum := fnv.New32a()
	_, _ = sum.Write(text)
	name := fmt.Sprint(sum.Sum32())
	revision := &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Name: revisionName(s.Name, name), Namespace: s.Namespace, OwnerReferences: []metav1.OwnerReference{s.owner()},
			Labels: map[string]string{labelName: s.Name, labelRevision: name},
		},
		Data: runtime.RawExtension{Raw: text}, Revision: s.Generation,
	}
	_, err = c.client.AppsV1().ControllerRevisions(s.Namespace).Create(ctx, revision, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		err = nil
	}
	return name, err
}

// templateOf reads the templates of a revision: groups that began with an older one keep it.
func (c *Controller) templateOf(ctx context.Context, s *set, revision string) (*groupTemplate, error) {
	stored, err := c.client.AppsV1().ControllerRevisions(s.Namespace).Get(ctx, revisionName(s.Name, revision), metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	data := revisionData{}
	if err := json.Unmarshal(stored.Data.Raw, &data); err != nil {
		return nil, err
	}
	template := &groupTemplate{}
	return template, json.Unmarshal(data.Spec.Template, template)
}

func revisionName(set, revision string) string { return set + "-" + revision + "-1" }
