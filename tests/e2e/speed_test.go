package e2e

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"os"
)

// speedTable gathers what the whole run tells about speed: the API server's own account of our hooks, and how long
// waiting pods waited once there was room.
type speedTable struct {
	mutex   sync.Mutex
	buckets map[string]map[float64]float64 // hook -> upper bound in seconds -> calls
	ungated []time.Duration
}

var speed = speedTable{buckets: map[string]map[float64]float64{}}

var bucketLine = regexp.MustCompile(`(?m)^apiserver_admission_webhook_admission_duration_seconds_bucket\{(.*)\} (\S+)$`)
var label = regexp.MustCompile(`(\w+)="([^"]*)"`)

// collect adds the API server's present counts; they start anew when it does.
func (s *speedTable) collect(ctx context.Context) {
	page, err := cluster.Client.Discovery().RESTClient().Get().AbsPath("/metrics").DoRaw(ctx)
	if err != nil {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, line := range bucketLine.FindAllStringSubmatch(string(page), -1) {
		labels := map[string]string{}
		for _, pair := range label.FindAllStringSubmatch(line[1], -1) {
			labels[pair[1]] = pair[2]
		}
		bound, err1 := strconv.ParseFloat(labels["le"], 64)
		count, err2 := strconv.ParseFloat(line[2], 64)
		if err1 != nil || err2 != nil || !strings.HasSuffix(labels["name"], ".toposeg.io") {
			continue
		}
		name := labels["name"] + " " + labels["operation"]
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

func (s *speedTable) print() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer table.Flush()
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

// quantile of a histogram, as the upper bound of the bucket it falls into.
func quantile(buckets map[float64]float64, q float64) string {
	var bounds []float64
	for bound := range buckets {
		bounds = append(bounds, bound)
	}
	slices.Sort(bounds)
	for _, bound := range bounds {
		if buckets[bound] >= q*buckets[math.Inf(1)] {
			if math.IsInf(bound, 1) {
				return "more"
			}
			return "<= " + time.Duration(bound*float64(time.Second)).String()
		}
	}
	return "none"
}
