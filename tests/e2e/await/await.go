// Package await waits for conditions with a deadline. Nothing in these tests waits for a mere time.
package await

import (
	"context"
	"fmt"
	"time"
)

const turn = 50 * time.Millisecond

// Until asks condition again and again until it returns "" (it holds). Otherwise its text says what is missing, and the
// last one stands in the error when patience ends.
func Until(ctx context.Context, patience time.Duration, what string, condition func(context.Context) string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ticker := time.NewTicker(turn)
	defer ticker.Stop()
	last := ""
	for {
		missing := condition(ctx)
		if missing == "" {
			return nil
		}
		if last == "" || ctx.Err() == nil { // at the very end it may only say that the time is over
			last = missing
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: not within %v: %s", what, patience, last)
		case <-ticker.C:
		}
	}
}

// Stays asks condition for as long as told and gives its first complaint: for what must not happen.
func Stays(ctx context.Context, period time.Duration, what string, condition func(context.Context) string) error {
	ctx, cancel := context.WithTimeout(ctx, period)
	defer cancel()
	ticker := time.NewTicker(turn)
	defer ticker.Stop()
	for {
		if complaint := condition(ctx); complaint != "" && ctx.Err() == nil {
			return fmt.Errorf("%s: %s", what, complaint)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}
