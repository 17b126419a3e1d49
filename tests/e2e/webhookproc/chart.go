package webhookproc

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"toposeg.io/tests/e2e/controlplane"
)

// chart is what helm makes of the product's own chart: its hooks, roles and configuration are the ones under test. Its
// Deployment is not used, the process takes its place.
type chart struct {
	objects []unstructured.Unstructured
}

// values that differ from the chart's own.
var values = []string{"config.log.level=debug"}

func render(ctx context.Context, cluster *controlplane.Cluster, folder string) (*chart, error) {
	helm := exec.CommandContext(ctx, cluster.Program("helm"), "template", "toposeg", folder, "--namespace", namespace,
		"--kube-version", "v1.36.3", "--set", strings.Join(values, ","))
	var problems strings.Builder
	helm.Stderr = &problems
	output, err := helm.Output()
	if err != nil {
		return nil, fmt.Errorf("helm template %s: %w: %s", folder, err, problems.String())
	}
	c := &chart{}
	for _, document := range strings.Split("\n"+string(output), "\n---") {
		object := unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(document), &object.Object); err != nil {
			return nil, err
		}
		if len(object.Object) > 0 {
			c.objects = append(c.objects, object)
		}
	}
	return c, nil
}

// hooks are the webhook configurations; roles is who may do what.
func (c *chart) hooks() string {
	return c.manifests("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
}

func (c *chart) roles() string {
	return c.manifests("ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")
}

func (c *chart) manifests(kinds ...string) string {
	var all strings.Builder
	for _, object := range c.objects {
		if slices.Contains(kinds, object.GetKind()) {
			text, _ := yaml.Marshal(object.Object) // it came from YAML
			all.WriteString("---\n" + string(text))
		}
	}
	return all.String()
}

// configuration is the file that the chart's pod would read.
func (c *chart) configuration() (string, error) {
	for _, object := range c.objects {
		if object.GetKind() != "ConfigMap" {
			continue
		}
		if text, found, _ := unstructured.NestedString(object.Object, "data", "toposeg.yaml"); found {
			return text, nil
		}
	}
	return "", fmt.Errorf("the chart has no ConfigMap with toposeg.yaml")
}
