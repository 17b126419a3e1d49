package controlplane

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// gatewayTo gives a gateway to a server that answers with the token it was sent, and then streams until it is left.
func gatewayTo(t *testing.T) (*Gateway, *http.Client) {
	t.Helper()
	behind := httptest.NewTLSServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		fmt.Fprintln(writer, request.Header.Get("Authorization"))
		if watchesPods(request) {
			writer.(http.Flusher).Flush()
			<-request.Context().Done()
		}
	}))
	t.Cleanup(behind.Close)
	authorities := x509.NewCertPool()
	authorities.AddCert(behind.Certificate())
	gateway, err := newGateway(behind.URL, authorities, behind.TLS.Certificates[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(gateway.Close)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities}, DisableKeepAlives: true}}
	return gateway, client
}

// ask sends a request with a token.
func ask(t *testing.T, client *http.Client, url string) *http.Response {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer token")
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return answer
}

// firstLine of an answer that may go on.
func firstLine(t *testing.T, answer *http.Response) string {
	t.Helper()
	line := make([]byte, len("Bearer token\n"))
	if _, err := io.ReadFull(answer.Body, line); err != nil {
		t.Fatal(err)
	}
	return string(line)
}

func TestAGatewayEndsWatchesOfPodsAndAnswersTheNextOnesThatTheirVersionIsTooOld(t *testing.T) {
	gateway, client := gatewayTo(t)
	watch := gateway.URL + "/api/v1/pods?watch=1"
	old := ask(t, client, watch)
	if line := firstLine(t, old); line != "Bearer token\n" {
		t.Errorf("the server was sent %q", line)
	}
	gateway.Hold()
	// It ends as it comes, cut off or as if the server had ended it; else this would wait for ever.
	if rest, _ := io.ReadAll(old.Body); len(rest) > 0 {
		t.Errorf("the open watch goes on: %q", rest)
	}
	if line := firstLine(t, ask(t, client, gateway.URL+"/api/v1/pods")); line != "Bearer token\n" {
		t.Errorf("a list is answered with %q while watches are held", line)
	}
	expired := make(chan error)
	go func() { expired <- gateway.Expire(context.Background()) }()
	answer := ask(t, client, watch)
	status := metav1.Status{}
	if err := json.NewDecoder(answer.Body).Decode(&status); err != nil || answer.StatusCode != http.StatusGone || status.Reason != metav1.StatusReasonExpired {
		t.Errorf("a held watch is answered with %s, %v, %v", answer.Status, status, err)
	}
	if err := <-expired; err != nil {
		t.Error(err)
	}
	if line := firstLine(t, ask(t, client, watch)); line != "Bearer token\n" {
		t.Errorf("afterwards a watch is answered with %q", line)
	}
}
