package controlplane

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd/api"

	"toposeg.io/tests/e2e/await"
)

// Token is a service account's token in a file, as a pod has it, and a kubeconfig that names the file. Each token is
// bound to a Secret: without it the API server takes the token no longer.
type Token struct {
	Kubeconfig string

	cluster            *Cluster
	file               string
	namespace, account string
	number             int
}

// How long the API server may remember that a token was good.
const tokenMemory = 30 * time.Second

// NewToken makes the service account, unless it is there, and its first token, with the files in a folder.
func (c *Cluster) NewToken(ctx context.Context, folder, namespace, account string) (*Token, error) {
	if err := c.account(ctx, namespace, account); err != nil {
		return nil, err
	}
	t := &Token{cluster: c, namespace: namespace, account: account,
		file: filepath.Join(folder, "token"), Kubeconfig: filepath.Join(folder, account+".kubeconfig")}
	if err := c.writeKubeconfig(t.Kubeconfig, api.AuthInfo{TokenFile: t.file}); err != nil {
		return nil, err
	}
	return t, t.renew(ctx)
}

// Rotate writes a new token into the file and revokes the one before, which it gives.
func (t *Token) Rotate(ctx context.Context) (old string, err error) {
	text, err := os.ReadFile(t.file)
	if err != nil {
		return "", err
	}
	before := t.secret()
	if err := t.renew(ctx); err != nil {
		return "", err
	}
	return string(text), t.cluster.Client.CoreV1().Secrets(t.namespace).Delete(ctx, before, metav1.DeleteOptions{})
}

// Refuses waits until the API server does not take a revoked token any more.
func (c *Cluster) Refuses(ctx context.Context, token string) error {
	return await.Until(ctx, tokenMemory, "the old token is refused", func(ctx context.Context) string {
		review := &authenticationv1.TokenReview{Spec: authenticationv1.TokenReviewSpec{Token: token}}
		answer, err := c.Client.AuthenticationV1().TokenReviews().Create(ctx, review, metav1.CreateOptions{})
		if err != nil {
			return err.Error()
		}
		if answer.Status.Authenticated {
			return "it is still taken"
		}
		return ""
	})
}

func (t *Token) secret() string { return fmt.Sprintf("%s-token-%d", t.account, t.number) }

// renew makes a token and puts it in the place of the one before, at once as the kubelet does it.
func (t *Token) renew(ctx context.Context) error {
	t.number++
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: t.secret()}}
	made, err := t.cluster.Client.CoreV1().Secrets(t.namespace).Create(ctx, secret, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	text, err := t.cluster.token(ctx, t.namespace, t.account, &authenticationv1.BoundObjectReference{
		Kind: "Secret", APIVersion: "v1", Name: made.Name, UID: made.UID,
	})
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(t.file+".new", []byte(text), 0o600), os.Rename(t.file+".new", t.file))
}
