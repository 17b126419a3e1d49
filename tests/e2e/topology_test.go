package e2e

import (
	"context"
	"strings"
	"testing"

	"toposeg.io/tests/e2e/await"
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

// becomes waits until a dry run of the manifest says the words; "" = until it is accepted.
func (s *scenario) becomes(manifest, words string) {
	s.t.Helper()
	must(s.t, await.Until(s.ctx, patience, "a dry run says \""+words+"\"", func(context.Context) string {
		_, seen, err := s.tryKubectl(manifest, "create", "--dry-run=server", "-f", "-")
		if accepted := err == nil; accepted == (words == "") && strings.Contains(seen, words) {
			return ""
		}
		return seen
	}))
}

func TestATopologyIsFollowedAsItComesGoesAndComesBackOfAnotherKind(t *testing.T) {
	s := begin(t, small)
	remove := func(version string) {
		s.kubectl(topology(version, nodes.Zone, nodes.Rack), "delete", "--ignore-not-found", "-f", "-")
	}
	const kai, kueue = "kai.scheduler/v1alpha1", "kueue.x-k8s.io/v1beta1"
	t.Cleanup(func() { remove(kai); remove(kueue) })
	eight := func(name string) job {
		return job{name: name, workers: 8, segment: 4, required: nodes.Rack, gpus: 4, noMaster: true}
	}
	s.becomes(inAnother(eight("early")), `there is no Topology "another"`)
	for _, version := range []string{kai, kueue} {
		s.kubectl(topology(version, nodes.Zone, nodes.Rack), "create", "-f", "-")
		one := eight(version[:3])
		s.becomes(inAnother(one), "")
		s.create(inAnother(one))
		s.runsUnsplit(one)
		remove(version)
		s.becomes(inAnother(eight("late")), `there is no Topology "another"`)
	}
}
