package lws

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// Controller reconciles LeaderWorkerSets. All reads are from the API server itself: the sets of tests are few.
type Controller struct {
	client  kubernetes.Interface
	dynamic dynamic.Interface
	queue   workqueue.TypedRateLimitingInterface[cache.ObjectName]
}

// NewController makes one that acts as the user of config.
func NewController(config *rest.Config) (*Controller, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	untyped, err := dynamic.NewForConfig(config)
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[cache.ObjectName](20*time.Millisecond, 2*time.Second)
	return &Controller{client, untyped, workqueue.NewTypedRateLimitingQueue(limiter)}, err
}

// Run watches until ctx ends.
func (c *Controller) Run(ctx context.Context) error {
	ours := func(options *metav1.ListOptions) { options.LabelSelector = labelName }
	typed := informers.NewSharedInformerFactoryWithOptions(c.client, 0, informers.WithTweakListOptions(ours))
	sets := dynamicinformer.NewDynamicSharedInformerFactory(c.dynamic, 0)
	pods, statefulSets := typed.Core().V1().Pods().Informer(), typed.Apps().V1().StatefulSets().Informer()
	for _, informer := range []cache.SharedInformer{sets.ForResource(Resource).Informer(), pods, statefulSets} {
		if _, err := informer.AddEventHandler(c.handler(ctx)); err != nil {
			return err
		}
	}
	typed.Start(ctx.Done())
	sets.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), pods.HasSynced, statefulSets.HasSynced) {
		return ctx.Err()
	}
	context.AfterFunc(ctx, c.queue.ShutDown)
	for c.next(ctx) {
	}
	return nil
}

func (c *Controller) handler(ctx context.Context) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    c.enqueue,
		UpdateFunc: func(_, object any) { c.seen(ctx, object) },
		DeleteFunc: func(object any) { c.seen(ctx, object) },
	}
}

// seen enqueues the object's set. A pod that ends takes its group along; that is looked at now, as the pod is gone when
// its set's turn comes.
func (c *Controller) seen(ctx context.Context, object any) {
	if unknown, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = unknown.Obj
	}
	if pod, ok := object.(*corev1.Pod); ok && pod.DeletionTimestamp != nil && pod.Labels[labelWorker] != "0" {
		go c.recreateGroup(ctx, pod)
	}
	c.enqueue(object)
}

func (c *Controller) enqueue(object any) {
	meta, ok := object.(metav1.Object)
	if !ok {
		return
	}
	name := meta.GetLabels()[labelName]
	if name == "" {
		name = meta.GetName() // the set itself
	}
	c.queue.Add(cache.ObjectName{Namespace: meta.GetNamespace(), Name: name})
}

func (c *Controller) next(ctx context.Context) bool {
	key, quit := c.queue.Get()
	if quit {
		return false
	}
	defer c.queue.Done(key)
	if err := c.reconcile(ctx, key); err != nil && ctx.Err() == nil {
		c.queue.AddRateLimited(key)
		return true
	}
	c.queue.Forget(key)
	return true
}

func (c *Controller) reconcile(ctx context.Context, key cache.ObjectName) error {
	object, err := c.dynamic.Resource(Resource).Namespace(key.Namespace).Get(ctx, key.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if object.GetDeletionTimestamp() != nil {
		return nil
	}
	s, err := readSet(object)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	revision, err := c.ensureRevision(ctx, object, s)
	if err != nil {
		return err
	}
	groups, err := c.groups(ctx, s)
	if err != nil {
		return err
	}
	if err := c.applyLeaders(ctx, s, revision, groups); err != nil {
		return err
	}
	if err := c.ensureService(ctx, s); err != nil {
		return err
	}
	if err := c.ensureWorkers(ctx, s, groups); err != nil {
		return err
	}
	return c.writeStatus(ctx, object, s, revision, groups)
}
