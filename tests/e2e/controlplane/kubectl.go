package controlplane

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Kubectl runs kubectl as kubernetes-admin and gives both outputs; the error holds standard error.
func (c *Cluster) Kubectl(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	return c.KubectlWith(ctx, c.Kubeconfig, "", args...)
}

// KubectlWith runs kubectl as the user of a kubeconfig, with a text on standard input.
func (c *Cluster) KubectlWith(ctx context.Context, kubeconfig, stdin string, args ...string) (stdout, stderr string, err error) {
	cmd := exec.CommandContext(ctx, c.Program("kubectl"), append([]string{"--kubeconfig=" + kubeconfig}, args...)...)
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(cmd.Environ(), "HOME="+c.folder) // its discovery cache goes away with the cluster
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err = cmd.Run(); err != nil {
		err = fmt.Errorf("kubectl %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(problems.String()))
	}
	return out.String(), problems.String(), err
}

// Apply creates or changes objects, YAML or JSON of any mix of kinds.
func (c *Cluster) Apply(ctx context.Context, manifests string, args ...string) error {
	args = append([]string{"apply", "--server-side", "--field-manager=e2e", "-f", "-"}, args...)
	_, _, err := c.KubectlWith(ctx, c.path("set-up.kubeconfig"), manifests, args...)
	return err
}
