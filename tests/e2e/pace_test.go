package e2e

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"toposeg.io/tests/e2e/await"
	"toposeg.io/tests/e2e/judge"
	"toposeg.io/tests/e2e/nodes"
	"toposeg.io/tests/e2e/webhookproc"
)

// sizes of jobs, each with hosts that it fills to some four fifths.
var sizes = []struct {
	workers int
	shape   nodes.Shape
	asked   bool // only when TOPOSEG_E2E_LARGE is set
}{
	{16, nodes.Shape{Zones: 2, Blocks: 1, Racks: 2, Hosts: 3}, false},
	{256, nodes.Shape{Zones: 2, Blocks: 2, Racks: 4, Hosts: 4}, false},
	{1000, nodes.Shape{Zones: 4, Blocks: 4, Racks: 5, Hosts: 2}, true},
}

// Pairs of the same job with and without the webhook, when speed is asked for. One alone says little on a machine that
// is also used for something else.
const pairs = 5

func TestLargeJobsKeepEverySegmentInOneRack(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%d_workers", size.workers), func(t *testing.T) {
			if size.asked {
				onlyLarge(t)
			}
			s := begin(t, size.shape)
			one := timed(size.workers)
			if !isLarge() {
				s.compares(one, 1)
				return
			}
			one.name = "warm-up"
			s.placed(one)
			s.removed(one.name)
			s.compares(one, pairs)
		})
	}
}

// timed is a job without a Master: the operator makes that before the workers' pods or after their Services, by the order
// of a Go map, and in the second case the same job takes twice as long.
func timed(workers int) job {
	return job{workers: workers, segment: 8, required: nodes.Rack, gpus: 1, noMaster: true}
}

// stockClients are the options of programs with which they ask the API server as often as they do where nobody tells them
// otherwise. So a job comes in at the pace that its users know: in the other tests all programs together are as fast as
// the machine, and a fifth more work for the API server is a fifth more time.
var stockClients = map[string][]string{
	"training-operator": {"--kube-api-qps=0", "--kube-api-burst=0"},
	"kube-scheduler":    {"--kube-api-qps=50", "--kube-api-burst=100"},
}

func TestLargeJobsOfStockClientsAreAsFastAsWithoutUs(t *testing.T) {
	onlyLarge(t)
	for program, options := range stockClients {
		must(t, cluster.RestartWith(running, program, options...))
		t.Cleanup(func() { must(t, cluster.Restart(running, program)) })
	}
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%d_workers", size.workers), func(t *testing.T) {
			s := begin(t, size.shape)
			speed.note("with programs that ask the API server as often as they come:")
			s.compares(timed(size.workers), 3)
		})
	}
}

// compares the pace of a job with and without the webhook, in turns, and notes it in the table of speeds.
func (s *scenario) compares(one job, pairs int) {
	s.t.Helper()
	var with, without []pace
	for round := range pairs {
		ways := []func(){
			func() { with = append(with, s.placed(one)) },
			func() { without = append(without, s.leftAlone(one)) },
		}
		if round%2 == 1 { // who comes second finds another state of the programs than who comes first
			slices.Reverse(ways)
		}
		for i, way := range ways {
			one.name = fmt.Sprintf("large-%d-%d", round, i)
			way()
			s.removed(one.name)
		}
	}
	speed.note("%d workers, with the webhook to without it, from create to last bound: %s", one.workers, spread(with, without, boundAfter))
	speed.note("  processor time of kube-apiserver: %s; of all programs: %s", spread(with, without, apiServerWorked), spread(with, without, allWorked))
	speed.note("  memory that kube-apiserver took meanwhile, in all: %s", spread(with, without, apiServerTook))
	for i := range with {
		speed.note("  with:    %v\n  without: %v", with[i], without[i])
	}
}

// placed is the pace of a job with the webhook; its segments must be whole.
func (s *scenario) placed(one job) pace {
	s.t.Helper()
	s.seen("all hosts free", func(string) bool { return true })
	p := s.paceOf(one)
	segments := judge.PyTorchJob(s.waitRunning(one.name, one.pods()), s.where(), one.name, one.segment)
	if want := one.workers / one.segment; len(segments) != want {
		s.t.Errorf("%d segments, want %d", len(segments), want)
	}
	for _, segment := range judge.Split(segments, nodes.Rack) {
		s.t.Errorf("split: %v", segment)
	}
	return p
}

// leftAlone is the pace of the same job in a cluster without the webhook: neither registered nor running.
func (s *scenario) leftAlone(one job) pace {
	s.t.Helper()
	must(s.t, webhook.Unregister(s.ctx))
	s.killWebhook()
	defer func() {
		must(s.t, webhook.Restart(s.ctx))
		must(s.t, webhook.Register(s.ctx))
	}()
	return s.paceOf(one)
}

// pace of a job: how long after its creation all of its pods were there, and were bound; and meanwhile what each program
// worked, and how many bytes the API server allocated, which no other work on the machine changes.
type pace struct {
	created, bound time.Duration
	worked         map[string]time.Duration
	took           float64
}

func (p pace) String() string {
	text := fmt.Sprintf("all created after %v, bound after %v; processor time:", p.created.Round(time.Millisecond), p.bound.Round(time.Millisecond))
	for _, name := range slices.Sorted(maps.Keys(p.worked)) {
		text += fmt.Sprintf(" %s %.1f s", name, p.worked[name].Seconds())
	}
	return text + fmt.Sprintf("; kube-apiserver took %.0f MB", p.took/1e6)
}

func boundAfter(p pace) float64      { return p.bound.Seconds() }
func apiServerWorked(p pace) float64 { return p.worked["kube-apiserver"].Seconds() }
func apiServerTook(p pace) float64   { return p.took }

func allWorked(p pace) float64 {
	var sum float64
	for _, one := range p.worked {
		sum += one.Seconds()
	}
	return sum
}

// spread of the ratios of pairs: the median, and from where to where they go.
func spread(with, without []pace, of func(pace) float64) string {
	ratios := make([]float64, len(with))
	for i := range ratios {
		ratios[i] = of(with[i]) / of(without[i])
	}
	slices.Sort(ratios)
	n := len(ratios)
	return fmt.Sprintf("%.2f (%.2f to %.2f, pairs: %d)", (ratios[(n-1)/2]+ratios[n/2])/2, ratios[0], ratios[n-1], n)
}

func TestASpreadIsTheMedianOfPairsAndItsEnds(t *testing.T) {
	paces := func(seconds ...int) (all []pace) {
		for _, one := range seconds {
			all = append(all, pace{bound: time.Duration(one) * time.Second})
		}
		return all
	}
	for _, c := range []struct {
		with, without []pace
		want          string
	}{
		{paces(3, 1, 8), paces(2, 1, 4), "1.50 (1.00 to 2.00, pairs: 3)"},
		{paces(3, 4), paces(2, 2), "1.75 (1.50 to 2.00, pairs: 2)"},
	} {
		if got := spread(c.with, c.without, boundAfter); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// processorTime that a component has used.
func (s *scenario) processorTime(component string) time.Duration {
	s.t.Helper()
	used, err := cluster.Process(component).ProcessorTime()
	must(s.t, err)
	return used
}

// processorTimes of the programs that have to do with a pod's way to its node.
func (s *scenario) processorTimes() map[string]time.Duration {
	s.t.Helper()
	times := map[string]time.Duration{}
	for _, name := range []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok", "training-operator"} {
		times[name] = s.processorTime(name)
	}
	if webhook.Alive() {
		used, err := webhook.ProcessorTime()
		must(s.t, err)
		times["toposeg-webhook"] = used
	}
	return times
}

// allocated is how many bytes the API server has allocated since it was started.
func (s *scenario) allocated() float64 {
	s.t.Helper()
	return webhookproc.Sum(s.apiServerMetrics(), "go_memstats_alloc_bytes_total")
}

func (s *scenario) apiServerMetrics() string {
	s.t.Helper()
	page, err := cluster.Client.Discovery().RESTClient().Get().AbsPath("/metrics").DoRaw(s.ctx)
	must(s.t, err)
	return string(page)
}

// paceOf submits a job, once nobody works for another one, and follows its pods. It watches, since asking again and again
// would be work for the API server.
func (s *scenario) paceOf(j job) pace {
	s.t.Helper()
	s.isQuiet()
	ctx, cancel := context.WithTimeout(s.ctx, patience+time.Duration(j.pods())*perPod)
	defer cancel()
	watch, err := cluster.Client.CoreV1().Pods(s.namespace).Watch(ctx, metav1.ListOptions{})
	must(s.t, err)
	defer watch.Stop()
	var p pace
	took, before := s.allocated(), s.processorTimes()
	start := time.Now()
	s.create(j.yaml())
	created, bound := map[string]bool{}, map[string]bool{}
	for event := range watch.ResultChan() {
		pod, ok := event.Object.(*corev1.Pod)
		if !ok || !strings.HasPrefix(pod.Name, j.name+"-") {
			continue
		}
		if created[pod.Name] = true; p.created == 0 && len(created) == j.pods() {
			p.created = time.Since(start)
		}
		if pod.Spec.NodeName != "" {
			bound[pod.Name] = true
		}
		if len(bound) == j.pods() {
			p.bound, p.worked, p.took = time.Since(start), s.processorTimes(), s.allocated()-took
			for name := range p.worked {
				p.worked[name] -= before[name]
			}
			s.waitRunning(j.name, j.pods())
			return p
		}
	}
	s.t.Fatalf("%s: %d of %d pods created, %d bound", j.name, len(created), j.pods(), len(bound))
	return p
}

// removed deletes a job and waits until nothing of it is left: while the Service of each worker is collected, the next job
// would be slower.
func (s *scenario) removed(name string) {
	s.t.Helper()
	s.kubectl("", "delete", "pytorchjob", name)
	s.waitPodsFor(2*patience, name, "gone", func(pods []corev1.Pod) bool { return len(pods) == 0 })
	must(s.t, await.Until(s.ctx, 2*patience, "what "+name+" left behind is collected", func(ctx context.Context) string {
		one := metav1.ListOptions{Limit: 1}
		services, err := cluster.Client.CoreV1().Services(s.namespace).List(ctx, one)
		if err != nil {
			return err.Error()
		}
		slices, err := cluster.Client.DiscoveryV1().EndpointSlices(s.namespace).List(ctx, one)
		if err != nil {
			return err.Error()
		}
		if len(services.Items)+len(slices.Items) > 0 {
			return "there are Services or EndpointSlices"
		}
		return ""
	}))
}

// isQuiet waits until the API server has had next to nothing to do for a second, by what was asked of it: its processor
// time would also be little when others leave it none.
func (s *scenario) isQuiet() {
	s.t.Helper()
	const window, next = time.Second, 2
	since, before := time.Now(), requests(s.apiServerMetrics())
	must(s.t, await.Until(s.ctx, 4*patience, "a quiet API server", func(context.Context) string {
		if time.Since(since) < window {
			return "it was looked at just now"
		}
		now := requests(s.apiServerMetrics())
		asked := now - before
		since, before = time.Now(), now
		if asked > next {
			return fmt.Sprintf("%.0f requests in a second", asked)
		}
		return ""
	}))
}

var requestCount = regexp.MustCompile(`(?m)^apiserver_request_total\{(.*)\} (\S+)$`)

// requests for objects that a page of the API server's counts, without the leases that nodes renew all the time.
func requests(page string) float64 {
	var sum float64
	for _, line := range requestCount.FindAllStringSubmatch(page, -1) {
		labels := labelsOf(line[1])
		if labels["verb"] == "WATCH" || labels["resource"] == "" || labels["resource"] == "leases" {
			continue
		}
		if count, err := strconv.ParseFloat(line[2], 64); err == nil {
			sum += count
		}
	}
	return sum
}

func TestRequestsForObjectsAreCountedAndNoOthers(t *testing.T) {
	page := `# TYPE apiserver_request_total counter
apiserver_request_total{code="201",resource="pods",verb="POST"} 7
apiserver_request_total{code="200",resource="services",verb="LIST"} 2
apiserver_request_total{code="200",resource="pods",verb="WATCH"} 100
apiserver_request_total{code="200",resource="leases",verb="PUT"} 100
apiserver_request_total{code="200",resource="",verb="GET"} 100
`
	if got := requests(page); got != 9 {
		t.Errorf("%v requests, want 9", got)
	}
}
