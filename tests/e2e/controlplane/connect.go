package controlplane

import (
	"context"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"toposeg.io/tests/e2e/await"
)

// connect makes the clients of kubernetes-admin, whose group is bound to cluster-admin as kubeadm does it.
func (c *Cluster) connect(ctx context.Context) error {
	if err := c.bindAdmins(ctx); err != nil {
		return err
	}
	var err error
	if c.Config, err = restConfig(c.Kubeconfig); err != nil {
		return err
	}
	if c.Client, c.Dynamic, err = Clients(c.Config); err != nil {
		return err
	}
	return await.Until(ctx, startPatience, "kubernetes-admin", func(ctx context.Context) string {
		if _, err := c.Client.CoreV1().Nodes().List(ctx, metav1.ListOptions{}); err != nil {
			return err.Error()
		}
		return ""
	})
}

// Clients are the two kinds of clients for one user.
func Clients(config *rest.Config) (kubernetes.Interface, dynamic.Interface, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, nil, err
	}
	untyped, err := dynamic.NewForConfig(config)
	return client, untyped, err
}

// UserConfig reads a kubeconfig that the cluster wrote.
func (c *Cluster) UserConfig(kubeconfig string) (*rest.Config, error) { return restConfig(kubeconfig) }

func (c *Cluster) bindAdmins(ctx context.Context) error {
	config, err := restConfig(c.path("set-up.kubeconfig"))
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "kubeadm:cluster-admins"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "Group", Name: "kubeadm:cluster-admins"}},
	}
	return await.Until(ctx, followPatience, "rights of kubernetes-admin", func(ctx context.Context) string {
		if _, err := client.RbacV1().ClusterRoleBindings().Create(ctx, binding, metav1.CreateOptions{}); err != nil {
			return err.Error()
		}
		return ""
	})
}
