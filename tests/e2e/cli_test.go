package e2e

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"toposeg.io/tests/e2e/judge"
	"toposeg.io/tests/e2e/nodes"
)

// toposeg runs the command line against the cluster itself, through kubectl, and gives its exit status.
func (s *scenario) toposeg(args ...string) (stdout string, status int) {
	s.t.Helper()
	command := exec.CommandContext(s.ctx, cli, append(args, "--kubeconfig", cluster.Kubeconfig, "--namespace", s.namespace)...)
	command.Env = append(os.Environ(), "PATH="+filepath.Dir(cluster.Program("kubectl"))+":"+os.Getenv("PATH"))
	output, err := command.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(output) + string(exit.Stderr), exit.ExitCode()
	}
	must(s.t, err)
	return string(output), 0
}

// segmentRow is a segment in what plan and status print as JSON.
type segmentRow struct {
	Segment int      `json:"segment"`
	Level   string   `json:"level"`
	Domain  []string `json:"domain"`
	Reasons []string `json:"reasons"`
}

func (s *scenario) segmentRows(output string) []segmentRow {
	s.t.Helper()
	type groups struct {
		Groups []struct {
			Segments []segmentRow `json:"segments"`
		} `json:"groups"`
	}
	report := struct {
		groups             // of status, which has one workload
		Workloads []groups `json:"workloads"`
	}{}
	must(s.t, json.Unmarshal([]byte(output), &report))
	var rows []segmentRow
	for _, workload := range append(report.Workloads, report.groups) {
		for _, group := range workload.Groups {
			rows = append(rows, group.Segments...)
		}
	}
	return rows
}

// agree compares rows with where the pods are.
func (s *scenario) agree(rows []segmentRow, segments []judge.Segment) {
	s.t.Helper()
	if len(rows) != len(segments) {
		s.t.Fatalf("%d segments are told, %d are there", len(rows), len(segments))
	}
	for i, row := range rows {
		level := slices.Index(nodes.Levels, row.Level)
		if domain := strings.Join(row.Domain, "/"); domain == "" || domain != segments[i].Domain(level) {
			s.t.Errorf("segment %d is told to be in %s %q; %v", row.Segment, row.Level, domain, segments[i])
		}
	}
}

func TestPlanTellsBeforehandWhereAJobGoes(t *testing.T) {
	s := begin(t, small)
	s.load(func(host int) int { return []int{0, 5, 8}[host%3] })
	one := job{name: "foretold", workers: 12, segment: 4, required: nodes.Rack, gpus: 2, noMaster: true}
	file := filepath.Join(t.TempDir(), "job.yaml")
	must(t, os.WriteFile(file, []byte(one.yaml()), 0o644))
	output, status := s.toposeg("plan", "-f", file, "-o", "json")
	if status != 0 {
		t.Fatalf("exit status %d: %s", status, output)
	}
	s.create(one.yaml())
	s.agree(s.segmentRows(output), judge.PyTorchJob(s.waitRunning(one.name, one.pods()), s.where(), one.name, one.segment))
}

func TestStatusAgreesWithTheLabelsOfTheNodes(t *testing.T) {
	s := begin(t, small)
	one := job{name: "told", workers: 12, segment: 4, required: nodes.Rack, gpus: 2, noMaster: true}
	s.create(one.yaml())
	segments := judge.PyTorchJob(s.waitRunning(one.name, one.pods()), s.where(), one.name, one.segment)
	output, status := s.toposeg("status", "pytorchjob/told", "-o", "json")
	if status != 0 {
		t.Errorf("exit status %d of a job that runs as asked: %s", status, output)
	}
	s.agree(s.segmentRows(output), segments)
}

func TestStatusOfAJobThatWasSplitSaysSo(t *testing.T) {
	s := begin(t, small)
	s.withoutWebhook()
	one := job{name: "split", workers: 12, segment: 4, required: nodes.Rack, gpus: 2, noMaster: true}
	s.create(one.yaml())
	s.waitRunning(one.name, one.pods())
	if output, status := s.toposeg("status", "pytorchjob/split"); status != 1 {
		t.Errorf("exit status %d, want 1: %s", status, output)
	}
}

func TestStatusOfAJobThatWaitsSaysWhy(t *testing.T) {
	s := begin(t, pair)
	s.load(func(int) int { return fullHost })
	waiting := wholeRack("waiting")
	s.create(waiting.yaml())
	s.waitPods("waiting", "all pods gated", func(pods []corev1.Pod) bool { return len(pods) == 4 && allGated(pods) })
	output, status := s.toposeg("status", "pytorchjob/waiting")
	if status != 1 || !strings.Contains(output, "no rack can hold 4 pods") {
		t.Errorf("exit status %d, want 1 and the reason: %s", status, output)
	}
}
