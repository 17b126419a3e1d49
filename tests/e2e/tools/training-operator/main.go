// training-operator as the end-to-end tests need it: the module's own PyTorchJob controller and webhook in a manager
// that listens on 127.0.0.1 only and takes its certificate from a folder. The module's stock program listens on all
// addresses and rotates certificates in one folder of the machine, so that two clusters would disturb each other.
package main

import (
	"flag"
	"log"
	"os"

	kubeflowv1 "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"github.com/kubeflow/training-operator/pkg/config"
	"github.com/kubeflow/training-operator/pkg/controller.v1/common"
	pytorch "github.com/kubeflow/training-operator/pkg/controller.v1/pytorch"
	pytorchwebhook "github.com/kubeflow/training-operator/pkg/webhooks/pytorch"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// The pace of the operator's client. Its own 20 requests a second would make a job of 256 workers take 11 seconds.
var (
	requestsPerSecond = flag.Float64("kube-api-qps", 500, "requests a second to the API server; 0 = the stock client's")
	burst             = flag.Int("kube-api-burst", 1000, "so many at once; 0 = the stock client's")
)

func main() {
	health := flag.String("health-address", "127.0.0.1:0", "where /readyz is answered")
	port := flag.Int("webhook-port", 0, "port of the validating webhook on 127.0.0.1")
	flag.Parse()
	ctrl.SetLogger(zap.New())
	if err := run(*health, *port, os.Getenv("CERT_DIR")); err != nil {
		log.Fatalf("training-operator: %v", err)
	}
}

func run(health string, port int, certificates string) error {
	config.Config.PyTorchInitContainerImage = config.PyTorchInitContainerImageDefault
	config.Config.PyTorchInitContainerTemplateFile = config.PyTorchInitContainerTemplateFileDefault
	config.Config.PyTorchInitContainerMaxTries = config.PyTorchInitContainerMaxTriesDefault
	manager, err := newManager(health, port, certificates)
	if err != nil {
		return err
	}
	reconciler := pytorch.NewReconciler(manager, common.GenNonGangSchedulerSetupFunc())
	if err := reconciler.SetupWithManager(manager, 4); err != nil {
		return err
	}
	if err := pytorchwebhook.SetupWebhook(manager); err != nil {
		return err
	}
	if err := manager.AddReadyzCheck("readyz", manager.GetWebhookServer().StartedChecker()); err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}

func newManager(health string, port int, certificates string) (ctrl.Manager, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, kubeflowv1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	rest, err := ctrl.GetConfig()
	if err != nil {
		return nil, err
	}
	if *requestsPerSecond > 0 {
		rest.QPS = float32(*requestsPerSecond)
	}
	if *burst > 0 {
		rest.Burst = *burst
	}
	manager, err := ctrl.NewManager(rest, ctrl.Options{
		Scheme:                 scheme,
		Metrics:                metricsserver.Options{BindAddress: "0"},
		HealthProbeBindAddress: health,
		WebhookServer:          webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: certificates}),
	})
	if err != nil {
		return nil, err
	}
	return manager, manager.AddHealthzCheck("healthz", healthz.Ping)
}
