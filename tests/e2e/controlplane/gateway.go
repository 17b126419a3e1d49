package controlplane

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"toposeg.io/tests/e2e/await"
)

// Gateway passes requests on to the API server, with the token they bring. Watches of pods it can hold back, and then
// answer as an API server does that no longer has the version from which they would go on.
type Gateway struct {
	URL string

	server    *http.Server
	transport *http.Transport
	pass      *httputil.ReverseProxy

	mutex   sync.Mutex
	open    map[*http.Request]context.CancelFunc // watches that were passed on
	held    chan struct{}                        // closed when those that are held get their answer; nil = none is held
	waiting int                                  // of those that are held
}

// NewGateway serves on a free port of 127.0.0.1, with the API server's own certificate; Close ends it.
func (c *Cluster) NewGateway() (*Gateway, error) {
	certificate, err := tls.LoadX509KeyPair(c.path("apiserver.crt"), c.path("apiserver.key"))
	if err != nil {
		return nil, err
	}
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(c.authority.PEM)
	return newGateway(c.URL, authorities, certificate)
}

func newGateway(target string, authorities *x509.CertPool, certificate tls.Certificate) (*Gateway, error) {
	to, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	quiet := log.New(io.Discard, "", 0)
	g := &Gateway{URL: "https://" + listener.Addr().String(), open: map[*http.Request]context.CancelFunc{}}
	g.transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authorities, MinVersion: tls.VersionTLS12}, DisableCompression: true}
	g.pass = &httputil.ReverseProxy{
		Rewrite:   func(request *httputil.ProxyRequest) { request.SetURL(to) },
		Transport: g.transport, FlushInterval: -1, ErrorLog: quiet,
	}
	g.server = &http.Server{
		Handler: g, ReadHeaderTimeout: 10 * time.Second, ErrorLog: quiet,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12},
	}
	go func() { _ = g.server.ServeTLS(listener, "", "") }()
	return g, nil
}

// Close ends the gateway and all that goes through it.
func (g *Gateway) Close() {
	_ = g.server.Close()
	g.transport.CloseIdleConnections()
}

// Hold ends the watches of pods that are open, and leaves new ones without an answer until Expire.
func (g *Gateway) Hold() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.held = make(chan struct{})
	for _, end := range g.open {
		end()
	}
}

// Expire answers the watches that are held with 410, once there is one; later ones are passed on again.
func (g *Gateway) Expire(ctx context.Context) error {
	return await.Until(ctx, followPatience, "a watch of pods that waits for its answer", func(context.Context) string {
		g.mutex.Lock()
		defer g.mutex.Unlock()
		if g.waiting == 0 {
			return "none came"
		}
		close(g.held)
		g.held = nil
		return ""
	})
}

// ServeHTTP is for the server.
func (g *Gateway) ServeHTTP(writer http.ResponseWriter, request *http.Request) {
	if !watchesPods(request) {
		g.pass.ServeHTTP(writer, request)
		return
	}
	ctx, end := context.WithCancel(request.Context())
	defer end()
	if held := g.enter(request, end); held != nil {
		g.hold(ctx, writer, held)
		return
	}
	defer g.leave(request)
	g.pass.ServeHTTP(writer, request.WithContext(ctx))
}

func watchesPods(request *http.Request) bool {
	watch := request.URL.Query().Get("watch")
	return strings.HasSuffix(request.URL.Path, "/pods") && (watch == "1" || watch == "true")
}

// enter notes a watch, as one that is held if that is so, or as one that is passed on.
func (g *Gateway) enter(request *http.Request, end context.CancelFunc) (held chan struct{}) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.held != nil {
		g.waiting++
		return g.held
	}
	g.open[request] = end
	return nil
}

func (g *Gateway) leave(request *http.Request) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	delete(g.open, request)
}

// hold keeps a watch waiting until it gets its answer or is given up.
func (g *Gateway) hold(ctx context.Context, writer http.ResponseWriter, held chan struct{}) {
	defer func() {
		g.mutex.Lock()
		defer g.mutex.Unlock()
		g.waiting--
	}()
	select {
	case <-held:
		writeExpired(writer)
	case <-ctx.Done():
	}
}

// writeExpired answers in the API server's own words.
func writeExpired(writer http.ResponseWriter) {
	status := metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
		Reason: metav1.StatusReasonExpired, Code: http.StatusGone, Message: "too old resource version: 1 (2)",
	}
	writer.Header().Set("Content-Type", "application/json")
	writer.WriteHeader(http.StatusGone)
	_ = json.NewEncoder(writer).Encode(status)
}
