package lws

import (
	"encoding/json"
	"errors"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// defaults adds what the real webhook adds to a LeaderWorkerSet, and refuses subgroups that do not divide.
func defaults(request *admissionv1.AdmissionRequest) ([]operation, error) {
	object := unstructured.Unstructured{}
	if err := json.Unmarshal(request.Object.Raw, &object.Object); err != nil {
		return nil, err
	}
	s, err := readSet(&object)
	if err != nil {
		return nil, err
	}
	if err := check(&s.Spec.Template); err != nil {
		return nil, err
	}
	var patch []operation
	absent := func(fields ...string) bool {
		_, found, _ := unstructured.NestedFieldNoCopy(object.Object, fields...)
		return !found
	}
	rolling := map[string]any{"maxUnavailable": 1, "maxSurge": 0, "partition": 0}
	if absent("spec", "rolloutStrategy") {
		patch = append(patch, add("/spec/rolloutStrategy", map[string]any{"type": "RollingUpdate", "rollingUpdateConfiguration": rolling}))
	} else if absent("spec", "rolloutStrategy", "rollingUpdateConfiguration") {
		patch = append(patch, add("/spec/rolloutStrategy/rollingUpdateConfiguration", rolling))
	}
	if absent("spec", "networkConfig") {
		patch = append(patch, add("/spec/networkConfig", map[string]any{"subdomainPolicy": "Shared"}))
	}
	return patch, nil
}

func check(group *groupTemplate) error {
	if group.SubGroupPolicy == nil {
		return nil
	}
	size, sub := group.Size, group.SubGroupPolicy.Size
	switch {
	case sub < 1:
		return errors.New("subGroupSize must be equal or greater than 1")
	case size%sub != 0 && (size-1)%sub != 0:
		return errors.New("size or size - 1 must be divisible by subGroupSize")
	case group.SubGroupPolicy.Type == leaderExcluded && (size-1)%sub != 0:
		return errors.New("size-1 must be divisible by subGroupSize when using LeaderExcluded")
	}
	return nil
}
