package e2e

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
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
	size    string               // of the cluster, part of each row's name; "" = that of most scenarios
	rows    map[string]histogram // by what was measured
	seen    map[string]histogram // what the pages said last
	ungated []wait
	notes   []string // further lines
}

// wait from room to gate gone, of one job.
type wait struct {
	scenario string
	took     time.Duration
}

// histogram of durations: how many were below each bound in seconds, and their sum.
type histogram struct {
	below map[float64]float64
	sum   float64
}

var speed = speedTable{rows: map[string]histogram{}, seen: map[string]histogram{}}

var sample = regexp.MustCompile(`(?m)^(apiserver_admission_webhook_admission|toposeg_admission)_duration_seconds_(bucket|sum)\{(.*)\} (\S+)$`)

var label = regexp.MustCompile(`(\w+)="([^"]*)"`)

// labelsOf a sample by their names.
func labelsOf(text string) map[string]string {
	labels := map[string]string{}
	for _, pair := range label.FindAllStringSubmatch(text, -1) {
		labels[pair[1]] = pair[2]
	}
	return labels
}

// collect adds what happened since the last time: by the API server's account of our hooks, and by our own.
func (s *speedTable) collect(ctx context.Context) {
	if page, err := cluster.Client.Discovery().RESTClient().Get().AbsPath("/metrics").DoRaw(ctx); err == nil {
		s.add(string(page))
	}
	if page, err := webhook.Page(ctx, "/metrics"); err == nil {
		s.add(page)
	}
}

// Who tells, and how the names of the rows begin that come from them.
const (
	byAPIServer = "API server waits for "
	byWebhook   = "toposeg answers "
)

// before programs are restarted what they counted is kept; afterwards they count anew.
func (s *speedTable) before(ctx context.Context, who ...string) {
	s.collect(ctx)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	maps.DeleteFunc(s.seen, func(name string, _ histogram) bool {
		return slices.ContainsFunc(who, func(one string) bool { return strings.HasPrefix(name, one) })
	})
}

// at begins rows of their own for a cluster of another size.
func (s *speedTable) at(ctx context.Context, size string) {
	s.collect(ctx)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.size = size
}

// add takes what a page has more than the page before it.
func (s *speedTable) add(page string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for name, now := range histograms(page) {
		row := name
		if s.size != "" {
			row += ", " + s.size
		}
		if s.rows[row].below == nil {
			s.rows[row] = histogram{below: map[float64]float64{}}
		}
		s.rows[row] = s.rows[row].plus(now.since(s.seen[name]))
		s.seen[name] = now
	}
}

// histograms of a page by the name of their row.
func histograms(page string) map[string]histogram {
	found := map[string]histogram{}
	for _, line := range sample.FindAllStringSubmatch(page, -1) {
		labels := labelsOf(line[3])
		name := byWebhook + labels["resource"]
		if line[1] != "toposeg_admission" {
			if !strings.HasSuffix(labels["name"], ".toposeg.io") {
				continue
			}
			name = byAPIServer + labels["name"] + ", " + labels["operation"]
		}
		value, err := strconv.ParseFloat(line[4], 64)
		if err != nil {
			continue
		}
		one := found[name]
		if one.below == nil {
			one.below = map[float64]float64{}
		}
		if bound, err := strconv.ParseFloat(labels["le"], 64); line[2] == "sum" {
			one.sum += value
		} else if err == nil {
			one.below[bound] += value
		}
		found[name] = one
	}
	return found
}

func (h histogram) count() float64 { return h.below[math.Inf(1)] }

// since takes away what was there before, unless it counts anew.
func (h histogram) since(before histogram) histogram {
	if before.count() > h.count() {
		return h
	}
	more := histogram{map[float64]float64{}, h.sum - before.sum}
	for bound, count := range h.below {
		more.below[bound] = count - before.below[bound]
	}
	return more
}

func (h histogram) plus(more histogram) histogram {
	h.sum += more.sum
	for bound, count := range more.below {
		h.below[bound] += count
	}
	return h
}

func (h histogram) mean() string {
	if h.count() == 0 {
		return "none"
	}
	return seconds(h.sum / h.count())
}

// waited notes the time from room to gate gone. A node makes room once it is Ready and its last taint is gone.
func (s *speedTable) waited(scenario string, took time.Duration) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.ungated = append(s.ungated, wait{scenario, took})
}

// note adds a line of its own.
func (s *speedTable) note(format string, values ...any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.notes = append(s.notes, fmt.Sprintf(format, values...))
}

func (s *speedTable) print() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "SPEED\tCOUNT\tMEAN\tP50\tP99")
	for _, name := range slices.Sorted(maps.Keys(s.rows)) {
		row := s.rows[name]
		if row.count() > 0 {
			fmt.Fprintf(table, "%s\t%.0f\t%s\t%s\t%s\n", name, row.count(), row.mean(), quantile(row.below, 0.5), quantile(row.below, 0.99))
		}
	}
	s.printWaits(table)
	table.Flush()
	for _, line := range s.notes {
		fmt.Println(line)
	}
}

// printWaits adds the row of the jobs that waited, and which one waited longest.
func (s *speedTable) printWaits(table io.Writer) {
	if len(s.ungated) == 0 {
		return
	}
	slices.SortFunc(s.ungated, func(a, b wait) int { return cmp.Compare(a.took, b.took) })
	at := func(q float64) wait { return s.ungated[min(len(s.ungated)-1, int(q*float64(len(s.ungated))))] }
	var sum time.Duration
	for _, one := range s.ungated {
		sum += one.took
	}
	mean := (sum / time.Duration(len(s.ungated))).Round(time.Millisecond)
	fmt.Fprintf(table, "room to gate gone\t%d\t%v\t%v\t%v\n", len(s.ungated), mean, at(0.5).took.Round(time.Millisecond),
		at(0.99).took.Round(time.Millisecond))
	s.notes = append(s.notes, fmt.Sprintf("Room to gate gone is longest in %s. A node counts from when it is Ready and has no taint.", at(1).scenario))
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

func TestAPageIsCountedOnceAndAgainFromTheBeginningAfterARestart(t *testing.T) {
	page := func(fast, all int, sum float64) string {
		text := ""
		for le, count := range map[string]int{"0.01": fast, "+Inf": all} {
			text += fmt.Sprintf("toposeg_admission_duration_seconds_bucket{le=%q,resource=\"pods\"} %d\n", le, count)
		}
		return text + fmt.Sprintf("toposeg_admission_duration_seconds_sum{resource=\"pods\"} %v\n", sum)
	}
	table := speedTable{rows: map[string]histogram{}, seen: map[string]histogram{}}
	table.add(page(1, 2, 0.5))
	table.add(page(3, 6, 1.5))
	table.size = "large"
	table.add(page(4, 8, 2))
	table.add(page(1, 1, 0.25)) // of a new process
	for name, want := range map[string]histogram{
		"toposeg answers pods":        {map[float64]float64{0.01: 3, math.Inf(1): 6}, 1.5},
		"toposeg answers pods, large": {map[float64]float64{0.01: 2, math.Inf(1): 3}, 0.75},
	} {
		if got := table.rows[name]; !maps.Equal(got.below, want.below) || got.sum != want.sum {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
