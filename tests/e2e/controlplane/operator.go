package controlplane

import (
	"context"
	"os"
	"strings"
)

// installOperator installs what training-operator needs: its CRD, roles, service account and validating webhook, all
// from its own module.
func (c *Cluster) installOperator(ctx context.Context) error {
	manifests := c.options.Programs + "/manifests/training-operator/"
	for _, step := range []func() error{
		func() error { return c.applyFile(ctx, manifests+"kubeflow.org_pytorchjobs.yaml") },
		func() error { return c.WaitForCRD(ctx, "pytorchjobs.kubeflow.org") },
		func() error { _, err := c.ServiceAccount(ctx, "kubeflow", "training-operator"); return err },
		func() error { return c.applyFile(ctx, manifests+"role.yaml") },
		func() error { return c.Bind(ctx, "training-operator", "kubeflow", "training-operator") },
		func() error { return c.installOperatorWebhook(ctx, manifests+"manifests.yaml") },
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
