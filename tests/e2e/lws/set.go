package lws

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// set is a LeaderWorkerSet, as far as this package reads it.
type set struct {
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Replicas        int32         `json:"replicas"`
		StartupPolicy   string        `json:"startupPolicy"`
		Template        groupTemplate `json:"leaderWorkerTemplate"`
		RolloutStrategy struct {
			Configuration struct {
				MaxUnavailable intstr.IntOrString `json:"maxUnavailable"`
				MaxSurge       intstr.IntOrString `json:"maxSurge"`
			} `json:"rollingUpdateConfiguration"`
		} `json:"rolloutStrategy"`
	} `json:"spec"`
}

type groupTemplate struct {
	Leader         *corev1.PodTemplateSpec `json:"leaderTemplate,omitempty"`
	Worker         corev1.PodTemplateSpec  `json:"workerTemplate"`
	Size           int32                   `json:"size"`
	RestartPolicy  string                  `json:"restartPolicy"`
	SubGroupPolicy *struct {
		Size int32  `json:"subGroupSize"`
		Type string `json:"subGroupPolicyType"`
	} `json:"subGroupPolicy,omitempty"`
}

func readSet(object *unstructured.Unstructured) (*set, error) {
	text, err := object.MarshalJSON()
	if err != nil {
		return nil, err
	}
	result := &set{}
	return result, json.Unmarshal(text, result)
}

// template of the leader pods; the workers' where there is none of its own.
func (g *groupTemplate) leader() corev1.PodTemplateSpec {
	if g.Leader != nil {
		return *g.Leader.DeepCopy()
	}
	return *g.Worker.DeepCopy()
}

// annotations that every pod of a group carries.
func (g *groupTemplate) annotations() map[string]string {
	result := map[string]string{annotationSize: itoa(g.Size)}
	if g.SubGroupPolicy != nil {
		result[annotationType] = g.SubGroupPolicy.Type
		result[annotationSub] = itoa(g.SubGroupPolicy.Size)
	}
	return result
}

func (s *set) owner() metav1.OwnerReference {
	yes := true
	return metav1.OwnerReference{
		APIVersion: "leaderworkerset.x-k8s.io/v1", Kind: "LeaderWorkerSet", Name: s.Name, UID: s.UID,
		Controller: &yes, BlockOwnerDeletion: &yes,
	}
}

// scaled is a number or a percentage of the replicas.
func (s *set) scaled(value intstr.IntOrString, up bool) int32 {
	number, err := intstr.GetScaledValueFromIntOrPercent(&value, int(s.Spec.Replicas), up)
	if err != nil {
		return 0
	}
	return int32(number)
}
