package controlplane

import (
	"encoding/base64"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// ByURL changes webhook configurations among manifests so that their hooks are called at 127.0.0.1:port instead of at a
// Service: there is no pod network here. Other objects stay as they are.
func (c *Cluster) ByURL(manifests string, port int) (string, error) {
	var changed []string
	for _, document := range strings.Split("\n"+manifests, "\n---") {
		object := unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &object.Object); err != nil {
			return "", err
		}
		if len(object.Object) == 0 {
			continue
		}
		if strings.HasSuffix(object.GetKind(), "WebhookConfiguration") {
			if err := c.hooksByURL(&object, port); err != nil {
				return "", err
			}
		}
		text, err := yaml.Marshal(object.Object)
		if err != nil {
			return "", err
		}
		changed = append(changed, string(text))
	}
	return strings.Join(changed, "---\n"), nil
}

func (c *Cluster) hooksByURL(configuration *unstructured.Unstructured, port int) error {
	hooks, _, err := unstructured.NestedSlice(configuration.Object, "webhooks")
	if err != nil {
		return err
	}
	for i, hook := range hooks {
		fields, ok := hook.(map[string]any)
		if !ok {
			return fmt.Errorf("%s: webhooks[%d] is no object", configuration.GetName(), i)
		}
		path, found, err := unstructured.NestedString(fields, "clientConfig", "service", "path")
		if err != nil || !found {
			return fmt.Errorf("%s: webhooks[%d].clientConfig.service.path is missing", configuration.GetName(), i)
		}
		fields["clientConfig"] = map[string]any{
			"url":      fmt.Sprintf("https://127.0.0.1:%d%s", port, path),
			"caBundle": base64.StdEncoding.EncodeToString(c.Webhooks.PEM),
		}
	}
	return unstructured.SetNestedSlice(configuration.Object, hooks, "webhooks")
}
