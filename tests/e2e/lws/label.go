package lws

import (
	"encoding/json"
	"fmt"
	"strconv"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
)

// label gives a pod of a set its place in the group: labels, and the variables by which its containers learn it.
func label(request *admissionv1.AdmissionRequest) ([]operation, error) {
	pod := corev1.Pod{}
	if err := json.Unmarshal(request.Object.Raw, &pod); err != nil {
		return nil, err
	}
	pod.Namespace = request.Namespace
	size, err := strconv.Atoi(pod.Annotations[annotationSize])
	if err != nil {
		return nil, fmt.Errorf("annotation %s of pod %s is %q", annotationSize, pod.Name, pod.Annotations[annotationSize])
	}
	number, ok := ordinal(pod.Name)
	if !ok {
		return nil, fmt.Errorf("pod %s has no ordinal", pod.Name)
	}
	if pod.Labels[labelWorker] == "0" {
		labelLeader(&pod, number)
	} else {
		pod.Labels[labelWorker] = strconv.Itoa(number)
		labelSubGroups(&pod, number, size)
	}
	return append(environment(&pod), add("/metadata/labels", pod.Labels)), nil
}

func labelLeader(pod *corev1.Pod, group int) {
	if pod.Labels[labelGroup] == "" {
		pod.Labels[labelGroup] = strconv.Itoa(group)
	}
	pod.Labels[labelGroupKey] = hash(pod.Namespace + "/" + pod.Name)
	if pod.Annotations[annotationSub] != "" && pod.Annotations[annotationType] != leaderExcluded {
		pod.Labels[labelSubGroup], pod.Labels[labelSubKey] = "0", hash(pod.Name+"/0")
	}
}

func labelSubGroups(pod *corev1.Pod, worker, size int) {
	sub, err := strconv.Atoi(pod.Annotations[annotationSub])
	if err != nil || sub < 1 {
		return
	}
	index := strconv.Itoa(subGroup(worker, size, sub))
	pod.Labels[labelSubGroup], pod.Labels[labelSubKey] = index, hash(pod.Annotations[annotationOwner]+"/"+index)
}

func environment(pod *corev1.Pod) []operation {
	leader := fmt.Sprintf("%s-%s.%s.%s", pod.Labels[labelName], pod.Labels[labelGroup], pod.Spec.Subdomain, pod.Namespace)
	ours := []corev1.EnvVar{
		{Name: "LWS_LEADER_ADDRESS", Value: leader},
		{Name: "LWS_GROUP_SIZE", Value: pod.Annotations[annotationSize]},
		{Name: "LWS_WORKER_INDEX", Value: pod.Labels[labelWorker]},
	}
	var patch []operation
	each := func(list string, containers []corev1.Container) {
		for i, container := range containers {
			patch = append(patch, add(fmt.Sprintf("/spec/%s/%d/env", list, i), append(append([]corev1.EnvVar{}, ours...), others(container.Env, ours)...)))
		}
	}
	each("containers", pod.Spec.Containers)
	each("initContainers", pod.Spec.InitContainers)
	return patch
}

// others are the variables that ours do not replace.
func others(all, ours []corev1.EnvVar) []corev1.EnvVar {
	var rest []corev1.EnvVar
	for _, variable := range all {
		replaced := false
		for _, our := range ours {
			replaced = replaced || our.Name == variable.Name
		}
		if !replaced {
			rest = append(rest, variable)
		}
	}
	return rest
}
