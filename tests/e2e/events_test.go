package e2e

import (
	"context"
	"strings"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"toposeg.io/tests/e2e/await"
	"toposeg.io/tests/e2e/nodes"
)

// events are those of the webhook about one object.
func (s *scenario) events(ctx context.Context, name string) ([]eventsv1.Event, error) {
	list, err := cluster.Client.EventsV1().Events(s.namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	var own []eventsv1.Event
	for _, event := range list.Items {
		if event.ReportingController == "toposeg.io/webhook" && event.Regarding.Name == name {
			own = append(own, event)
		}
	}
	return own, nil
}

// isTold waits for an event of a job with this reason, and returns it.
func (s *scenario) isTold(j job, reason string) eventsv1.Event {
	s.t.Helper()
	var told eventsv1.Event
	must(s.t, await.Until(s.ctx, patience, "event "+reason+" of "+j.name, func(ctx context.Context) string {
		events, err := s.events(ctx, j.name)
		if err != nil {
			return err.Error()
		}
		var reasons []string
		for _, event := range events {
			if event.Reason == reason {
				told = event
				return ""
			}
			reasons = append(reasons, event.Reason)
		}
		return "there are: " + strings.Join(reasons, ", ")
	}))
	return told
}

func TestEventsTellWhatBecomesOfAJobThatWaits(t *testing.T) {
	s := begin(t, pair)
	s.load(func(int) int { return fullHost })
	told := wholeRack("told")
	s.create(told.yaml())
	if planned := s.isTold(told, "Planned"); !strings.Contains(planned.Note, "0 placed, 1 wait") {
		t.Errorf("Planned says %q", planned.Note)
	}
	waiting := s.isTold(told, "Waiting")
	if waiting.Type != "Warning" || !strings.Contains(waiting.Note, "no rack can hold 4 pods") {
		t.Errorf("Waiting is %s and says %q", waiting.Type, waiting.Note)
	}
	s.vacate(2, 3)
	s.goesOn(told)
	if placed := s.isTold(told, "Placed"); !strings.Contains(placed.Note, "segment 0 is placed in ") {
		t.Errorf("Placed says %q", placed.Note)
	}
	if described, _ := s.kubectl("", "describe", "pytorchjob", "told"); !strings.Contains(described, "is placed in") {
		t.Errorf("kubectl describe does not show it: %s", described)
	}
}

func TestOfAJobThatHasRoomOnlyItsPlanIsTold(t *testing.T) {
	s := begin(t, pair)
	planned := job{name: "planned", workers: 4, segment: 2, required: nodes.Rack, gpus: 1, noMaster: true}
	s.create(planned.yaml())
	s.isTold(planned, "Planned")
	s.runsUnsplit(planned)
	events, err := s.events(s.ctx, planned.name)
	must(t, err)
	for _, event := range events {
		if event.Reason != "Planned" {
			t.Errorf("%s: %s", event.Reason, event.Note)
		}
	}
}
