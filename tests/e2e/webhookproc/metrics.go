package webhookproc

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

var pages = &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}

// Page is the text of a page of the plain port.
func (w *Webhook) Page(ctx context.Context, path string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d%s", w.PlainPort, path), nil)
	if err != nil {
		return "", err
	}
	answer, err := pages.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", path, answer.Status, text)
	}
	return string(text), err
}

// Count sums the samples of a metric whose labels contain all of these texts, such as `resource="pods"`.
func (w *Webhook) Count(ctx context.Context, metric string, labels ...string) (float64, error) {
	page, err := w.Page(ctx, "/metrics")
	if err != nil {
		return 0, err
	}
	return Sum(page, metric, labels...), nil
}

// Sum does the same for a page of any program.
func Sum(page, metric string, labels ...string) float64 {
	var sum float64
	for _, line := range strings.Split(page, "\n") {
		name, value, ok := cutSample(line)
		if !ok || (name != metric && !strings.HasPrefix(name, metric+"{")) || !containsAll(name, labels) {
			continue
		}
		number, err := strconv.ParseFloat(value, 64)
		if err == nil {
			sum += number
		}
	}
	return sum
}

func cutSample(line string) (name, value string, ok bool) {
	if strings.HasPrefix(line, "#") {
		return "", "", false
	}
	space := strings.LastIndexByte(line, ' ')
	if space < 0 {
		return "", "", false
	}
	return line[:space], line[space+1:], true
}

func containsAll(text string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}
