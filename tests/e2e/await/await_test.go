package await

import (
	"context"
	"strings"
	"testing"
	"time"
)

func TestTheLastThingThatWasMissingStandsInTheError(t *testing.T) {
	err := Until(context.Background(), 10*time.Millisecond, "all pods", func(context.Context) string { return "one is left" })
	if err == nil || !strings.Contains(err.Error(), "all pods: not within 10ms: one is left") {
		t.Errorf("error: %v", err)
	}
}

func TestAConditionThatComesTrueEndsTheWaiting(t *testing.T) {
	asked := 0
	err := Until(context.Background(), time.Minute, "the third answer", func(context.Context) string {
		if asked++; asked < 3 {
			return "not yet"
		}
		return ""
	})
	if err != nil || asked != 3 {
		t.Errorf("asked %d times: %v", asked, err)
	}
}

func TestAComplaintEndsTheLooking(t *testing.T) {
	err := Stays(context.Background(), time.Minute, "quiet", func(context.Context) string { return "noise" })
	if err == nil || err.Error() != "quiet: noise" {
		t.Errorf("error: %v", err)
	}
	if err := Stays(context.Background(), 10*time.Millisecond, "quiet", func(context.Context) string { return "" }); err != nil {
		t.Errorf("error: %v", err)
	}
}
