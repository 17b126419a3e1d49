package controlplane

import (
	"context"
	"fmt"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd/api"

	"toposeg.io/tests/e2e/await"
)

// Namespace makes a namespace, unless it is there, and waits until pods can be created in it.
func (c *Cluster) Namespace(ctx context.Context, name string) error {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	_, err := c.Client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	return await.Until(ctx, followPatience, "service account of namespace "+name, func(ctx context.Context) string {
		if _, err := c.Client.CoreV1().ServiceAccounts(name).Get(ctx, "default", metav1.GetOptions{}); err != nil {
			return err.Error()
		}
		return ""
	})
}

// ServiceAccount makes a service account, unless it is there, and a kubeconfig with a token of it.
func (c *Cluster) ServiceAccount(ctx context.Context, namespace, name string) (kubeconfig string, err error) {
	if err := c.account(ctx, namespace, name); err != nil {
		return "", err
	}
	token, err := c.token(ctx, namespace, name, nil)
	if err != nil {
		return "", err
	}
	file := c.path(name + ".kubeconfig")
	return file, c.writeKubeconfig(file, api.AuthInfo{Token: token})
}

func (c *Cluster) account(ctx context.Context, namespace, name string) error {
	if err := c.Namespace(ctx, namespace); err != nil {
		return err
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}
	_, err := c.Client.CoreV1().ServiceAccounts(namespace).Create(ctx, account, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// token of a service account for a day; bound to an object it ends with it.
func (c *Cluster) token(ctx context.Context, namespace, name string, bound *authenticationv1.BoundObjectReference) (string, error) {
	day := int64(24 * time.Hour / time.Second)
	request := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &day, BoundObjectRef: bound}}
	token, err := c.Client.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, name, request, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	return token.Status.Token, nil
}

// Bind gives a cluster role to a service account, and waits until that is in force: the API server hears of its own
// bindings as everybody else does, a little later.
func (c *Cluster) Bind(ctx context.Context, role, namespace, account string) error {
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: namespace + ":" + account},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
		Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: namespace, Name: account}},
	}
	_, err := c.Client.RbacV1().ClusterRoleBindings().Create(ctx, binding, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	what := fmt.Sprintf("cluster role %s of %s/%s in force", role, namespace, account)
	return await.Until(ctx, followPatience, what, func(ctx context.Context) string {
		return c.lacks(ctx, role, "system:serviceaccount:"+namespace+":"+account)
	})
}

// lacks asks for the first thing that a role allows, and says why a user may not do it.
func (c *Cluster) lacks(ctx context.Context, role, user string) string {
	found, err := c.Client.RbacV1().ClusterRoles().Get(ctx, role, metav1.GetOptions{})
	if err != nil {
		return err.Error()
	}
	rule := found.Rules[0]
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{User: user,
		ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: rule.Verbs[0], Group: rule.APIGroups[0], Resource: rule.Resources[0]}}}
	answer, err := c.Client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err != nil {
		return err.Error()
	}
	if !answer.Status.Allowed {
		return "not yet: " + answer.Status.Reason
	}
	return ""
}
