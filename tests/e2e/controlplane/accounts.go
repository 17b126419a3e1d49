package controlplane

import (
	"context"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
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
	return await.Until(ctx, 30*time.Second, "service account of namespace "+name, func(ctx context.Context) string {
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

// Bind gives a cluster role to a service account.
func (c *Cluster) Bind(ctx context.Context, role, namespace, account string) error {
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: namespace + ":" + account},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role},
		Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: namespace, Name: account}},
	}
	_, err := c.Client.RbacV1().ClusterRoleBindings().Create(ctx, binding, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}
