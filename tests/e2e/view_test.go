package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"toposeg.io/tests/e2e/await"
	"toposeg.io/tests/e2e/controlplane"
	"toposeg.io/tests/e2e/crds"
	"toposeg.io/tests/e2e/nodes"
	"toposeg.io/tests/e2e/process"
)

// watchRestarts counts the watches that had to be begun again for one of these reasons.
func (s *scenario) watchRestarts(reasons ...string) float64 {
	s.t.Helper()
	count, err := countWatchRestarts(s.ctx, reasons)
	must(s.t, err)
	return count
}

func countWatchRestarts(ctx context.Context, reasons []string) (sum float64, err error) {
	for _, reason := range reasons {
		count, err := webhook.Count(ctx, "toposeg_watch_restarts_total", fmt.Sprintf("reason=%q", reason))
		if err != nil {
			return 0, err
		}
		sum += count
	}
	return sum, nil
}

// watchesBeginAgain waits until more watches than before had to be begun again for one of these reasons. A watch that
// found no API server tries again only after a pause.
func (s *scenario) watchesBeginAgain(before float64, reasons ...string) {
	s.t.Helper()
	what := "a watch that begins again: " + strings.Join(reasons, " or ")
	must(s.t, await.Until(s.ctx, patience, what, func(ctx context.Context) string {
		now, err := countWatchRestarts(ctx, reasons)
		if err != nil {
			return err.Error()
		}
		if now <= before {
			return fmt.Sprintf("%v, as before", now)
		}
		return ""
	}))
}

// throughBridge starts the webhook again so that its way to the API server can be cut, until the end of the test.
func (s *scenario) throughBridge() *process.Bridge {
	s.t.Helper()
	bridge, err := process.NewBridge(strings.TrimPrefix(cluster.URL, "https://"))
	must(s.t, err)
	s.t.Cleanup(bridge.Close)
	s.through("https://" + bridge.Address())
	return bridge
}

// throughGateway does it so that its watches of pods can be answered with 410.
func (s *scenario) throughGateway() *controlplane.Gateway {
	s.t.Helper()
	gateway, err := cluster.NewGateway()
	must(s.t, err)
	s.t.Cleanup(gateway.Close)
	s.through(gateway.URL)
	return gateway
}

// through starts the webhook again with another URL for the API server, until the end of the test.
func (s *scenario) through(url string) {
	s.t.Helper()
	s.killWebhook()
	s.t.Cleanup(func() {
		s.killWebhook()
		must(s.t, webhook.Restart(s.ctx))
	})
	must(s.t, webhook.RestartThrough(s.ctx, url))
}

func TestWhatHappensWhileItsWatchesAreCutIsSeenWhenTheyAreBack(t *testing.T) {
	s := begin(t, pair)
	s.load(func(int) int { return fullHost })
	bridge := s.throughBridge()
	waiting := s.waitingRack()
	before := s.watchRestarts("disconnected", "unreachable")
	bridge.Cut()
	s.vacate(2, 3)
	s.staysWaiting(waiting) // else the bridge would not be its way
	bridge.Mend()
	s.runsUnsplit(waiting)
	s.watchesBeginAgain(before, "disconnected", "unreachable")
}

func TestWhatHappensBeforeAWatchIsToldThatItsVersionIsTooOldIsSeenByAList(t *testing.T) {
	s := begin(t, pair)
	s.load(func(int) int { return fullHost })
	gateway := s.throughGateway()
	waiting := s.waitingRack()
	before := s.watchRestarts("expired")
	gateway.Hold()
	s.vacate(2, 3)
	s.staysWaiting(waiting) // else the gateway would not be its way
	must(t, gateway.Expire(s.ctx))
	s.runsUnsplit(waiting)
	s.watchesBeginAgain(before, "expired")
}

func TestAKindThatIsTakenAwayAndComesBackIsFollowedAgain(t *testing.T) {
	s := begin(t, small)
	kinds, err := crds.Manifests()
	must(t, err)
	restore := func() { must(t, cluster.Apply(s.ctx, kinds)) }
	t.Cleanup(restore)
	s.kubectl("", "delete", "crd", "topologies.kueue.x-k8s.io")
	with := job{name: "with", workers: 8, segment: 4, required: nodes.Rack, gpus: 4, noMaster: true}
	s.create(with.yaml())
	s.runsUnsplit(with)
	s.killWebhook() // it has to start without the kind as well
	must(t, webhook.Restart(s.ctx))
	s.becomes(inAnother(with), `there is no Topology "another"`)
	restore()
	another := topology("kueue.x-k8s.io/v1beta1", nodes.Zone, nodes.Rack)
	must(t, await.Until(s.ctx, patience, "a Topology of Kueue's", func(context.Context) string {
		if _, _, err := s.tryKubectl(another, "apply", "-f", "-"); err != nil {
			return err.Error()
		}
		return ""
	}))
	t.Cleanup(func() { s.kubectl(another, "delete", "--ignore-not-found", "-f", "-") })
	again := with
	again.name = "again"
	s.becomes(inAnother(again), "")
	s.create(inAnother(again))
	s.runsUnsplit(again)
}

// inAnother is a job's manifest that names the other Topology.
func inAnother(j job) string { return strings.ReplaceAll(j.yaml(), "cluster-topology", "another") }

// another makes the other Topology, of KAI's kind, until the end of the test.
func (s *scenario) another(manifest string) {
	s.t.Helper()
	s.kubectl(manifest, "apply", "-f", "-")
	s.t.Cleanup(func() { s.kubectl(manifest, "delete", "--ignore-not-found", "-f", "-") })
}

func TestALevelIsKnownByItsNewNameOnceItsTopologyIsEdited(t *testing.T) {
	s := begin(t, small)
	named := func(alias string) string {
		return text(object{
			"apiVersion": "kai.scheduler/v1alpha1", "kind": "Topology", "metadata": object{"name": "another"},
			"spec": object{"levels": []any{object{"nodeLabel": nodes.Zone}, object{"nodeLabel": nodes.Rack, "alias": alias}}},
		})
	}
	s.another(named("row"))
	one := job{name: "by-name", workers: 8, segment: 4, required: "row", gpus: 4, noMaster: true}
	s.becomes(inAnother(one), "")
	s.kubectl(named("shelf"), "apply", "-f", "-")
	s.becomes(inAnother(one), `"row"`)
	one.required = "shelf"
	s.becomes(inAnother(one), "")
	s.create(inAnother(one))
	s.runsUnsplit(one)
}

func TestJobsOfTwoTopologiesNeverShareTheSpaceOfTheSameHosts(t *testing.T) {
	s := begin(t, pair)
	s.another(topology("kai.scheduler/v1alpha1", nodes.Zone, nodes.Rack))
	first, second, third := wholeRack("first"), wholeRack("second"), wholeRack("third")
	s.becomes(inAnother(second), "")
	s.create(first.yaml() + inAnother(second))
	s.runsUnsplit(first)
	s.runsUnsplit(second)
	s.create(inAnother(third))
	s.isWaiting(third)
	s.kubectl("", "delete", "pytorchjob", "first") // of the other Topology
	s.waitPods("first", "gone", func(pods []corev1.Pod) bool { return len(pods) == 0 })
	s.goesOn(third)
}
