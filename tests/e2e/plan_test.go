package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"toposeg.io/tests/e2e/judge"
	"toposeg.io/tests/e2e/nodes"
)

// planReport is what `toposeg plan -o json` prints, as far as it is read here.
type planReport struct {
	Workloads []struct {
		Groups []struct {
			Segments []struct {
				Level string `json:"level"`
			} `json:"segments"`
		} `json:"groups"`
	} `json:"workloads"`
}

// optimum asks the command line where a job would go now: for each level, how many segments some domain of it holds.
func (s *scenario) optimum(manifest string) []int {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "job.yaml")
	must(s.t, os.WriteFile(file, []byte(manifest), 0o644))
	state, _, err := cluster.Kubectl(s.ctx, "get", "nodes,pods,topologies.kai.scheduler", "--all-namespaces", "-o", "json")
	must(s.t, err)
	plan := exec.CommandContext(s.ctx, cli, "plan", "-f", file, "--cluster", "-", "-o", "json", "--namespace", s.namespace)
	plan.Stdin = bytes.NewBufferString(state)
	output, err := plan.Output()
	must(s.t, err)
	report := planReport{}
	must(s.t, json.Unmarshal(output, &report))
	var levels []int
	for _, workload := range report.Workloads {
		for _, group := range workload.Groups {
			for _, segment := range group.Segments {
				levels = append(levels, slices.Index(nodes.Levels, segment.Level))
			}
		}
	}
	return held(levels)
}

// reached is the same for segments that run.
func reached(segments []judge.Segment) []int {
	var levels []int
	for _, segment := range segments {
		levels = append(levels, segment.Level())
	}
	return held(levels)
}

func held(levels []int) []int {
	counts := make([]int, len(nodes.Levels))
	for _, level := range levels {
		for i := 0; i <= level; i++ {
			counts[i]++
		}
	}
	return counts
}

func add(a, b []int) []int {
	sum := make([]int, len(nodes.Levels))
	for i := range sum {
		sum[i] = at(a, i) + at(b, i)
	}
	return sum
}

func at(list []int, i int) int {
	if i < len(list) {
		return list[i]
	}
	return 0
}

// share of the optimum that was reached at a level.
func share(got, best []int, level int) float64 {
	if best[level] == 0 {
		return 1
	}
	return float64(got[level]) / float64(best[level])
}

func shares(got, best []int) string {
	var text string
	for i, level := range []string{"zone", "block", "rack", "host"} {
		text += fmt.Sprintf(" %s %d of %d,", level, got[i], best[i])
	}
	return text[1 : len(text)-1]
}
