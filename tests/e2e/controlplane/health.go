package controlplane

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"toposeg.io/tests/e2e/await"
)

// The components' health pages have self-made certificates of their own.
var healthClient = &http.Client{
	Timeout:   5 * time.Second,
	Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true},
}

func (c *Cluster) waitHealthy(ctx context.Context, program *component) error {
	name := program.command.Name
	err := await.Until(ctx, startPatience, name+" healthy", func(ctx context.Context) string {
		if !program.running.Alive() {
			return "it has ended"
		}
		return unhealthy(ctx, program.health)
	})
	if err != nil {
		return fmt.Errorf("%w\n%s", err, tail(program.running.Log, 10))
	}
	return nil
}

// unhealthy says what a health page answered if it was not 200.
func unhealthy(ctx context.Context, url string) string {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err.Error()
	}
	answer, err := healthClient.Do(request)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return answer.Status
	}
	return ""
}

// tail is the end of a log.
func tail(file string, lines int) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return err.Error()
	}
	all := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
