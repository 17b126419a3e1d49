package controlplane

import (
	"context"
	"os"
	"strings"

	"toposeg.io/tests/e2e/await"
)

// operatorManifest is a file of training-operator's own module.
func (c *Cluster) operatorManifest(name string) string {
	return c.options.Programs + "/manifests/training-operator/" + name
}

// installKinds defines PyTorchJob and the kinds of the options, and waits until they are served.
func (c *Cluster) installKinds(ctx context.Context) error {
	if err := c.applyFile(ctx, c.operatorManifest("kubeflow.org_pytorchjobs.yaml")); err != nil {
		return err
	}
	if err := c.Apply(ctx, c.options.Kinds); err != nil {
		return err
	}
	// kubectl does not wait for a kind that has no status yet, it fails.
	return await.Until(ctx, followPatience, "kinds are served", func(ctx context.Context) string {
		if _, _, err := c.Kubectl(ctx, "wait", "--for=condition=Established", "--timeout=5s", "crd", "--all"); err != nil {
			return err.Error()
		}
		return ""
	})
}

// installOperator installs what training-operator needs besides: roles, service account and validating webhook.
func (c *Cluster) installOperator(ctx context.Context) error {
	for _, step := range []func() error{
		func() error { _, err := c.ServiceAccount(ctx, "kubeflow", "training-operator"); return err },
		func() error { return c.applyFile(ctx, c.operatorManifest("role.yaml")) },
		func() error { return c.Bind(ctx, "training-operator", "kubeflow", "training-operator") },
		func() error { return c.installOperatorWebhook(ctx, c.operatorManifest("manifests.yaml")) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) installOperatorWebhook(ctx context.Context, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	// The file's name is the one before the module's kustomization gives it the real one.
	named := strings.Replace(string(text), "name: validating-webhook-configuration", "name: validator.training-operator.kubeflow.org", 1)
	byURL, err := c.ByURL(named, c.ports.operatorWebhook)
	if err != nil {
		return err
	}
	return c.Apply(ctx, byURL)
}

func (c *Cluster) applyFile(ctx context.Context, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return c.Apply(ctx, string(text))
}
