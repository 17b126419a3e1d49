package e2e

import (
	"strings"
	"testing"

	"toposeg.io/tests/e2e/nodes"
)

func topology(version string, labels ...string) string {
	var levels []any
	for _, label := range labels {
		levels = append(levels, object{"nodeLabel": label})
	}
	return text(object{
		"apiVersion": version, "kind": "Topology", "metadata": object{"name": "another"}, "spec": object{"levels": levels},
	})
}

func TestABrokenTopologyIsRefusedAndAGoodOneIsNot(t *testing.T) {
	s := begin(t, nodes.Shape{Zones: 1, Blocks: 1, Racks: 1, Hosts: 1})
	for _, version := range []string{"kai.scheduler/v1alpha1", "kueue.x-k8s.io/v1beta1"} {
		s.kubectl(topology(version, nodes.Zone, nodes.Rack, nodes.Host), "create", "--dry-run=server", "-f", "-")
		for says, labels := range map[string][]string{
			"is already level 0":   {nodes.Zone, nodes.Zone},
			"must be the last":     {nodes.Host, nodes.Rack},
			"is no label key":      {"not a label"},
			"spec.levels[1].nodeL": {nodes.Zone, "bad/key/"},
		} {
			_, seen, err := s.tryKubectl(topology(version, labels...), "create", "--dry-run=server", "-f", "-")
			if err == nil || !strings.Contains(seen, says) {
				t.Errorf("%s with levels %v: the user sees %q, want %q in it", version, labels, seen, says)
			}
		}
	}
}
