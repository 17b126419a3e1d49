// Command matchconditions tells which hooks of a MutatingWebhookConfiguration the API server would call, by the API
// server's own evaluation of their matchConditions. It reads {"configuration": …, "cases": [{"name", "object", "old"}]}
// and writes {case: {hook: "true" | "false" | "error: …"}}.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	admissionregistration "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/webhook"
	"k8s.io/apiserver/pkg/cel/environment"
)

// The oldest Kubernetes that the chart admits: its expressions have to be understood there.
var oldest = version.MajorMinor(1, 30)

type question struct {
	Configuration admissionregistration.MutatingWebhookConfiguration `json:"configuration"`
	Cases         []struct {
		Name   string         `json:"name"`
		Object map[string]any `json:"object"`
		Old    map[string]any `json:"old"`
	} `json:"cases"`
}

func attributes(object, old map[string]any) *admission.VersionedAttributes {
	after := &unstructured.Unstructured{Object: object}
	operation, before := admission.Create, runtime.Object(nil)
	if old != nil {
		operation, before = admission.Update, &unstructured.Unstructured{Object: old}
	}
	kind := after.GroupVersionKind()
	record := admission.NewAttributesRecord(after, before, kind, after.GetNamespace(), after.GetName(),
		schema.GroupVersionResource{Group: kind.Group, Version: kind.Version}, "", operation, nil, false, nil)
	return &admission.VersionedAttributes{
		Attributes: record, VersionedObject: after, VersionedOldObject: before, VersionedKind: kind}
}

func called(hook *admissionregistration.MutatingWebhook, compiler cel.ConditionCompiler,
	request *admission.VersionedAttributes) string {
	matcher := webhook.NewMutatingWebhookAccessor(hook.Name, hook.Name, hook).GetCompiledMatcher(compiler)
	result := matcher.Match(context.Background(), request, nil, nil)
	if result.Error != nil {
		return "error: " + result.Error.Error()
	}
	return fmt.Sprint(result.Matches)
}

func run() error {
	var asked question
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	compiler := cel.NewConditionCompiler(environment.MustBaseEnvSet(oldest))
	answers := map[string]map[string]string{}
	for _, c := range asked.Cases {
		answers[c.Name] = map[string]string{}
		for i := range asked.Configuration.Webhooks {
			hook := &asked.Configuration.Webhooks[i]
			answers[c.Name][hook.Name] = called(hook, compiler, attributes(c.Object, c.Old))
		}
	}
	return json.NewEncoder(os.Stdout).Encode(answers)
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "matchconditions:", err)
		os.Exit(1)
	}
}
