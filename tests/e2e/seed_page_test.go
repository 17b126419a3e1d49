package e2e

import (
	"context"
	"os"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"toposeg.io/tests/e2e/await"
	"toposeg.io/tests/e2e/judge"
	"toposeg.io/tests/e2e/nodes"
)

// page is a manifest of the kind that the product's page shows.
type page struct {
	file     string
	workload string
	kind     string
	pods     int
	segments int
	cut      func([]corev1.Pod, judge.Nodes) []judge.Segment
	level    string // that all pods share; "" = none was asked for
}

var pages = []page{
	{"pytorchjob.yaml", "tensor-parallel", "pytorchjob", 17, 4, cutJob("tensor-parallel", 4), ""},
	{"pytorchjob-zone.yaml", "one-zone", "pytorchjob", 17, 4, cutJob("one-zone", 4), nodes.Zone},
	{"leaderworkerset.yaml", "sharded", "leaderworkerset", 5, 2, cutSet("sharded", judge.Group{Size: 5, SubGroup: 2}), ""},
}

func cutJob(name string, size int) func([]corev1.Pod, judge.Nodes) []judge.Segment {
	return func(pods []corev1.Pod, where judge.Nodes) []judge.Segment {
		return judge.PyTorchJob(pods, where, name, size)
	}
}

func cutSet(name string, group judge.Group) func([]corev1.Pod, judge.Nodes) []judge.Segment {
	return func(pods []corev1.Pod, where judge.Nodes) []judge.Segment {
		return judge.LeaderWorkerSet(pods, where, name, group)
	}
}

func (p page) manifest(t *testing.T) string {
	t.Helper()
	manifest, err := os.ReadFile("testdata/" + p.file)
	must(t, err)
	return string(manifest)
}

func TestEachRequiredSegmentOfThePageEndsInOneRack(t *testing.T) {
	ways := map[string][]string{
		"create":             {"create", "-f", "-"},
		"apply":              {"apply", "-f", "-"},
		"server_side_apply":  {"apply", "--server-side", "-f", "-"},
		"create_after_a_dry": {"create", "-f", "-"},
		"service_account":    {"create", "-f", "-"},
	}
	for way, args := range ways {
		t.Run(way, func(t *testing.T) {
			s := begin(t, small)
			user := cluster.Kubeconfig
			if way == "service_account" {
				user = s.platformUser()
			}
			for _, p := range pages {
				if way == "create_after_a_dry" { // a dry run leaves nothing behind
					s.kubectl(p.manifest(t), "create", "--dry-run=server", "-f", "-")
				}
				_, _, err := cluster.KubectlWith(s.ctx, user, p.manifest(t), append(args, "--namespace="+s.namespace)...)
				must(t, err)
			}
			for _, p := range pages {
				s.isPlacedAsAsked(p)
			}
		})
	}
}

func (s *scenario) isPlacedAsAsked(p page) {
	s.t.Helper()
	pods := s.waitRunning(p.workload, p.pods)
	where := s.where()
	segments := p.cut(pods, where)
	if len(segments) != p.segments {
		s.t.Errorf("%s has %d segments, want %d", p.workload, len(segments), p.segments)
	}
	for _, segment := range judge.Split(segments, nodes.Rack) {
		s.t.Errorf("split over racks: %v", segment)
	}
	if p.level != "" {
		whole := judge.Segment{}
		for i := range pods {
			whole.Pods = append(whole.Pods, judge.Pod{Name: pods[i].Name, Place: where.Place(&pods[i])})
		}
		for range judge.Split([]judge.Segment{whole}, p.level) {
			s.t.Errorf("%s is not in one %s: %v", p.workload, p.level, whole)
		}
	}
}

func TestWithoutTheWebhookTheSameManifestsAreSplit(t *testing.T) {
	s := begin(t, small)
	s.withoutWebhook()
	for _, p := range pages {
		s.create(p.manifest(t))
		if split := judge.Split(p.cut(s.waitRunning(p.workload, p.pods), s.where()), nodes.Rack); len(split) == 0 {
			t.Errorf("%s was not split, so the other tests show nothing", p.workload)
		}
	}
}

// withoutWebhook takes the registration away until the end of the test.
func (s *scenario) withoutWebhook() {
	s.t.Helper()
	must(s.t, webhook.Unregister(s.ctx))
	s.t.Cleanup(func() { must(s.t, webhook.Register(s.ctx)) })
}

func TestAnotherApplyChangesNothing(t *testing.T) {
	s := begin(t, small)
	for _, p := range pages {
		t.Run(p.workload, func(t *testing.T) {
			s.kubectl(p.manifest(t), "apply", "-f", "-")
			s.waitRunning(p.workload, p.pods)
			before := s.version(p)
			if stdout, _ := s.kubectl(p.manifest(t), "apply", "-f", "-"); !strings.Contains(stdout, "unchanged") {
				t.Errorf("a second apply says %q", stdout)
			}
			s.showsNoDifference(p.manifest(t))
			if after := s.version(p); after != before {
				t.Errorf("the object was written again: generation %s, then %s", before, after)
			}
		})
	}
}

func TestAnotherServerSideApplyChangesNothing(t *testing.T) {
	s := begin(t, small)
	for _, p := range pages {
		t.Run(p.workload, func(t *testing.T) {
			s.kubectl(p.manifest(t), "apply", "--server-side", "-f", "-")
			s.waitRunning(p.workload, p.pods)
			before := s.version(p)
			s.kubectl(p.manifest(t), "apply", "--server-side", "-f", "-")
			s.showsNoDifference(p.manifest(t), "--server-side")
			if after := s.version(p); after != before {
				t.Errorf("the object was written again: generation %s, then %s", before, after)
			}
		})
	}
}

// showsNoDifference waits until diff has nothing to say. It looks at an object twice: a status that is written in between
// is a difference, which is gone the next time.
func (s *scenario) showsNoDifference(manifest string, options ...string) {
	s.t.Helper()
	args := append([]string{"diff", "-f", "-"}, options...)
	must(s.t, await.Until(s.ctx, patience, "an empty diff", func(context.Context) string {
		if stdout, _, err := s.tryKubectl(manifest, args...); err != nil {
			return err.Error() + "\n" + stdout
		}
		return ""
	}))
}

func TestDiffShowsWhatTheUserChanged(t *testing.T) {
	s := begin(t, small)
	manifest := pages[0].manifest(t)
	s.kubectl(manifest, "apply", "-f", "-")
	changed := strings.Replace(manifest, "train:1", "train:2", 1)
	stdout, _, err := s.tryKubectl(changed, "diff", "-f", "-")
	if err == nil || !strings.Contains(stdout, "train:2") {
		t.Errorf("diff of another image: %v\n%s", err, stdout)
	}
}

func (s *scenario) version(p page) string {
	s.t.Helper()
	stdout, _ := s.kubectl("", "get", p.kind, p.workload, "-o", "jsonpath={.metadata.generation}")
	return stdout
}

func TestADryRunWarnsAndCreatesNothing(t *testing.T) {
	s := begin(t, nodes.Shape{Zones: 1, Blocks: 1, Racks: 2, Hosts: 1})
	much := job{name: "too-much", workers: 4, segment: 4, required: nodes.Rack, gpus: 4}
	stdout, warnings := s.kubectl(much.yaml(), "create", "--dry-run=server", "-f", "-")
	if !strings.Contains(stdout, "created (server dry run)") {
		t.Errorf("output: %s", stdout)
	}
	if !strings.Contains(warnings, "Warning: segment 0") {
		t.Errorf("warnings: %q, want one that says why segment 0 does not fit", warnings)
	}
	if left, _ := s.kubectl("", "get", "pytorchjobs,pods", "-o", "name"); left != "" {
		t.Errorf("a dry run left %s", left)
	}
	fits := job{name: "fits", workers: 2, segment: 2, required: nodes.Rack, gpus: 4}
	if _, warnings := s.kubectl(fits.yaml(), "create", "--dry-run=server", "-f", "-"); warnings != "" {
		t.Errorf("a job that fits is warned about: %q", warnings)
	}
}

func TestWhatCannotBeMeantIsRefusedWithItsFieldAndTheRemedy(t *testing.T) {
	s := begin(t, nodes.Shape{Zones: 1, Blocks: 1, Racks: 2, Hosts: 1})
	for name, refusal := range map[string]struct {
		manifest string
		says     []string
	}{
		"an_unknown_level": {
			job{name: "level", workers: 4, segment: 2, required: "example.com/row"}.yaml(),
			[]string{"example.com/row", nodes.Rack},
		},
		"an_unknown_topology": {
			strings.ReplaceAll(job{name: "topology", workers: 4, segment: 2, required: nodes.Rack}.yaml(), "cluster-topology", "other-topology"),
			[]string{"other-topology", "cluster-topology"},
		},
		"more_pods_in_a_segment_than_workers": {
			job{name: "size", workers: 4, segment: 20, required: nodes.Rack}.yaml(),
			[]string{"segment-size", "20", "4 worker"},
		},
		"a_number_without_quotes": {
			strings.ReplaceAll(job{name: "quotes", workers: 4, segment: 2, required: nodes.Rack}.yaml(), `segment-size: "2"`, "segment-size: 2"),
			[]string{"segment-size", `"2"`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			seen := s.refused(refusal.manifest)
			for _, part := range append(refusal.says, "is invalid: spec.pytorchReplicaSpecs.Worker.template.metadata.annotations[kai.scheduler/") {
				if !strings.Contains(seen, part) {
					t.Errorf("the user sees %q, want %q in it", seen, part)
				}
			}
		})
	}
}
