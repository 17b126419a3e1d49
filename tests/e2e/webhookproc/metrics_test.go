package webhookproc

import "testing"

const page = `# HELP requests_total Answers.
requests_total{resource="pods",outcome="patched"} 3
requests_total{resource="pods",outcome="denied"} 2
requests_total{resource="workloads",outcome="patched"} 10
requests_total_of_another{resource="pods"} 100
plain 7
`

func TestSamplesAreSummedByNameAndLabels(t *testing.T) {
	for _, want := range []struct {
		name   string
		labels []string
		sum    float64
	}{
		{"requests_total", nil, 15},
		{"requests_total", []string{`resource="pods"`}, 5},
		{"requests_total", []string{`resource="pods"`, `outcome="denied"`}, 2},
		{"plain", nil, 7},
		{"absent", nil, 0},
	} {
		if got := Sum(page, want.name, want.labels...); got != want.sum {
			t.Errorf("%s %v: %v, want %v", want.name, want.labels, got, want.sum)
		}
	}
}
