package e2e

import (
	"context"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

// speedTable gathers what the whole run tells about speed: the API server's own account of our hooks, and how long
// waiting pods waited once there was room.
type speedTable struct {
	mutex   sync.Mutex
	buckets map[string]map[float64]float64 // hook -> upper bound in seconds -> calls
	ungated []time.Duration
	costs   []cost
}

// cost is how long a job took from its creation until all pods ran, placed by us and left alone.
type cost struct {
	workers          int
	placed, unplaced time.Duration
}

var speed = speedTable{buckets: map[string]map[float64]float64{}}

var (
	apiServerBucket = regexp.MustCompile(`(?m)^apiserver_admission_webhook_admission_duration_seconds_bucket\{(.*)\} (\S+)$`)
	webhookBucket   = regexp.MustCompile(`(?m)^toposeg_admission_duration_seconds_bucket\{(.*)\} (\S+)$`)
)

var label = regexp.MustCompile(`(\w+)="([^"]*)"`)

// collect adds the API server's present counts; they start anew when it does.
func (s *speedTable) collect(ctx context.Context) {
	page, err := cluster.Client.Discovery().RESTClient().Get().AbsPath("/metrics").DoRaw(ctx)
	if err != nil {
		return
	}
	s.add(string(page), apiServerBucket, func(labels map[string]string) string {
		if !strings.HasSuffix(labels["name"], ".toposeg.io") {
			return ""
		}
		return "API server waits for " + labels["name"] + ", " + labels["operation"]
	})
}

// collectOwn adds what the webhook says of itself.
func (s *speedTable) collectOwn(ctx context.Context) {
	page, err := webhook.Page(ctx, "/metrics")
	if err != nil {
		return
	}
	s.add(page, webhookBucket, func(labels map[string]string) string { return "toposeg answers " + labels["resource"] })
}

// add takes the buckets of a page; a row without a name is left out.
func (s *speedTable) add(page string, line *regexp.Regexp, row func(labels map[string]string) string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, found := range line.FindAllStringSubmatch(page, -1) {
		labels := map[string]string{}
		for _, pair := range label.FindAllStringSubmatch(found[1], -1) {
			labels[pair[1]] = pair[2]
		}
		bound, err1 := strconv.ParseFloat(labels["le"], 64)
		count, err2 := strconv.ParseFloat(found[2], 64)
		name := row(labels)
		if err1 != nil || err2 != nil || name == "" {
			continue
		}
		if s.buckets[name] == nil {
			s.buckets[name] = map[float64]float64{}
		}
		s.buckets[name][bound] += count
	}
}

// waited notes the time from room to gate gone.
func (s *speedTable) waited(took time.Duration) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.ungated = append(s.ungated, took)
}

// compared notes what placing a job cost.
func (s *speedTable) compared(c cost) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.costs = append(s.costs, c)
}

func (s *speedTable) print() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer func() {
		table.Flush()
		for _, c := range s.costs {
			fmt.Printf("%d workers, from create until all run: %v placed, %v left alone, ratio %.2f\n", c.workers,
				c.placed.Round(time.Millisecond), c.unplaced.Round(time.Millisecond), c.placed.Seconds()/c.unplaced.Seconds())
		}
	}()
	fmt.Fprintln(table, "SPEED\tCOUNT\tP50\tP99")
	for _, name := range sortedKeys(s.buckets) {
		buckets := s.buckets[name]
		fmt.Fprintf(table, "%s\t%.0f\t%s\t%s\n", name, buckets[math.Inf(1)], quantile(buckets, 0.5), quantile(buckets, 0.99))
	}
	if len(s.ungated) > 0 {
		slices.Sort(s.ungated)
		at := func(q float64) time.Duration {
			return s.ungated[min(len(s.ungated)-1, int(q*float64(len(s.ungated))))].Round(time.Millisecond)
		}
		fmt.Fprintf(table, "room to gate gone\t%d\t%v\t%v\n", len(s.ungated), at(0.5), at(0.99))
	}
}

func sortedKeys(m map[string]map[float64]float64) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// quantile of a histogram: the bound below which so many calls lie, in the middle of a bucket by proportion.
func quantile(buckets map[float64]float64, q float64) string {
	var bounds []float64
	for bound := range buckets {
		bounds = append(bounds, bound)
	}
	slices.Sort(bounds)
	wanted, below, from := q*buckets[math.Inf(1)], 0.0, 0.0
	for _, bound := range bounds {
		if count := buckets[bound]; count >= wanted && count > below {
			if math.IsInf(bound, 1) {
				return "> " + seconds(from)
			}
			return seconds(from + (bound-from)*(wanted-below)/(count-below))
		}
		below, from = buckets[bound], bound
	}
	return "none"
}

func seconds(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(10 * time.Microsecond).String()
}

func TestAQuantileLiesInItsBucketByProportion(t *testing.T) {
	buckets := map[float64]float64{0.01: 50, 0.02: 100, math.Inf(1): 100}
	for q, want := range map[float64]string{0.25: "5ms", 0.5: "10ms", 0.75: "15ms"} {
		if got := quantile(buckets, q); got != want {
			t.Errorf("quantile %v: %s, want %s", q, got, want)
		}
	}
	slow := map[float64]float64{0.01: 0, math.Inf(1): 5}
	if got := quantile(slow, 0.5); got != "> 10ms" {
		t.Errorf("beyond the last bound: %s", got)
	}
}
