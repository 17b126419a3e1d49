package e2e

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/klog/v2"
)

// logFolder takes the logs of all programs. TOPOSEG_E2E_LOGS names one that is kept; otherwise it is a new one that is
// kept when something failed.
func logFolder() (string, error) {
	if folder := os.Getenv("TOPOSEG_E2E_LOGS"); folder != "" {
		folder, err := filepath.Abs(folder)
		if err == nil {
			err = os.MkdirAll(folder, 0o755)
		}
		return folder, err
	}
	return os.MkdirTemp("", "toposeg-e2e-logs-")
}

// quietClients sends what the Kubernetes client libraries of this program say, as on a restart of the API server, to a
// log of its own.
func quietClients() (end func(), err error) {
	file, err := os.OpenFile(filepath.Join(logs, "clients.log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	klog.SetSlogLogger(slog.New(slog.NewTextHandler(file, nil)))
	return func() {
		klog.ClearLogger()
		klog.LogToStderr(false)
		file.Close()
	}, nil
}

func tellLogs(status int) {
	if status == 0 && os.Getenv("TOPOSEG_E2E_LOGS") == "" {
		_ = os.RemoveAll(logs)
		return
	}
	fmt.Fprintln(os.Stderr, "e2e: logs are in", logs)
}

// keepState writes what a person would look at first into the scenario's folder among the logs.
func (s *scenario) keepState() {
	folder := filepath.Join(logs, strings.ReplaceAll(s.t.Name(), "/", "_"))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		s.t.Log(err)
		return
	}
	keep := func(file, text string) { _ = os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644) }
	for file, args := range map[string][]string{
		"pods.txt":       {"get", "pods", "-o", "wide"},
		"pods.yaml":      {"get", "pods", "-o", "yaml"},
		"workloads.yaml": {"get", "pytorchjobs,leaderworkersets,distributedworkloads,statefulsets", "-o", "yaml"},
		"events.txt":     {"get", "events"},
		"nodes.txt":      {"get", "nodes", "--show-labels"},
	} {
		stdout, stderr, _ := cluster.Kubectl(s.ctx, append(args, "--namespace="+s.namespace)...)
		keep(file, stdout+stderr)
	}
	for _, page := range []string{"topology", "ledger", "waiting"} {
		if text, err := webhook.Page(s.ctx, "/debug/"+page); err == nil {
			keep(page+".json", text)
		}
	}
	s.t.Logf("state of the cluster at the end: %s", folder)
}

func TestAnErrorNamesTheProgramThatIsMissing(t *testing.T) {
	t.Setenv("TOPOSEG_WEBHOOK", "/nowhere/toposeg-webhook")
	if _, err := program("TOPOSEG_WEBHOOK", "toposeg-webhook"); err == nil || !strings.Contains(err.Error(), "TOPOSEG_WEBHOOK") {
		t.Errorf("error: %v", err)
	}
}
