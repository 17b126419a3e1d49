package e2e

import (
	"fmt"
	"slices"
	"testing"

	"toposeg.io/tests/e2e/judge"
	"toposeg.io/tests/e2e/nodes"
)

// What a preference reaches has to be this share of what the exact plan says is possible, at every level.
const wantedShare = 0.99

// uses says how many GPUs strangers take on the host with this number.
type uses func(host int) int

var loads = map[string]uses{
	"an_empty_cluster":      func(int) int { return 0 },
	"a_half_full_cluster":   func(host int) int { return 8 * (host % 2) },
	"a_fragmented_cluster":  func(host int) int { return []int{0, 3, 6, 1, 5, 2, 7}[host%7] },
	"racks_that_are_uneven": func(host int) int { return []int{0, 0, 4, 6, 6, 2}[host%6] },
}

func TestPreferredSegmentsReachWhatThePlanSaysIsPossible(t *testing.T) {
	for load, uses := range loads {
		t.Run(load, func(t *testing.T) {
			s := begin(t, small)
			s.load(uses)
			var got, best []int
			for i, segment := range []int{4, 2, 4} {
				one := job{name: fmt.Sprintf("job-%d", i), workers: 12, segment: segment, preferred: nodes.Host, gpus: 2}
				best = add(best, s.optimum(one.yaml()))
				s.create(one.yaml())
				got = add(got, reached(judge.PyTorchJob(s.waitRunning(one.name, one.pods()), s.where(), one.name, segment)))
			}
			t.Logf("segments held: %s", shares(got, best))
			for level := range nodes.Levels {
				if share(got, best, level) < wantedShare {
					t.Errorf("%s: %d segments are in one, %d could be", nodes.Levels[level], got[level], best[level])
				}
			}
		})
	}
}

func TestWithoutTheWebhookAPreferenceHasNoEffect(t *testing.T) {
	s := begin(t, small)
	s.withoutWebhook()
	one := job{name: "alone", workers: 12, segment: 4, preferred: nodes.Host, gpus: 2}
	best := s.optimum(one.yaml())
	s.create(one.yaml())
	got := reached(judge.PyTorchJob(s.waitRunning(one.name, one.pods()), s.where(), one.name, 4))
	host := len(nodes.Levels) - 1
	if share(got, best, host) >= wantedShare {
		t.Errorf("%s without the webhook: the other tests show nothing", shares(got, best))
	}
}

// load lets strangers take GPUs of the scenario's hosts.
func (s *scenario) load(uses uses) {
	s.t.Helper()
	var manifests string
	count := 0
	for host, name := range s.nodes {
		if gpus := uses(host); gpus > 0 {
			manifests += stranger(fmt.Sprintf("load-%d", host), name, gpus)
			count++
		}
	}
	if count == 0 {
		return
	}
	s.create(manifests)
	s.waitRunning("load", count)
	s.seen("what strangers took", func(name string) bool { return uses(slices.Index(s.nodes, name)) == 0 })
}
