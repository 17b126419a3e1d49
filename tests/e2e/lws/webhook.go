package lws

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Webhook serves the defaults of LeaderWorkerSets and the labels of their pods.
type Webhook struct {
	Port   int
	server *http.Server
}

// Configuration registers the hooks; services become URLs when it is installed.
const Configuration = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  name: lws-mutating-webhook-configuration
webhooks:
- name: mleaderworkerset.kb.io
  admissionReviewVersions: [v1]
  clientConfig: {service: {name: lws, namespace: lws-system, path: /sets}}
  failurePolicy: Fail
  sideEffects: None
  rules:
  - {apiGroups: [leaderworkerset.x-k8s.io], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [leaderworkersets]}
- name: mpod.kb.io
  admissionReviewVersions: [v1]
  clientConfig: {service: {name: lws, namespace: lws-system, path: /pods}}
  failurePolicy: Fail
  sideEffects: None
  objectSelector: {matchExpressions: [{key: leaderworkerset.sigs.k8s.io/name, operator: Exists}]}
  rules:
  - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
`

// Serve starts the hooks on a free port of 127.0.0.1.
func Serve(certificate tls.Certificate) (*Webhook, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	pages := http.NewServeMux()
	pages.HandleFunc("/sets", answer(defaults))
	pages.HandleFunc("/pods", answer(label))
	server := &http.Server{
		Handler: pages, ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(io.Discard, "", 0),
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12},
	}
	go func() { _ = server.ServeTLS(listener, "", "") }()
	return &Webhook{listener.Addr().(*net.TCPAddr).Port, server}, nil
}

// Close ends the server.
func (w *Webhook) Close() { _ = w.server.Close() }

// operation of a JSON Patch; all of ours add.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

func add(path string, value any) operation { return operation{"add", path, value} }

type mutation func(*admissionv1.AdmissionRequest) ([]operation, error)

// answer makes a page of a mutation. An error refuses the object.
func answer(mutate mutation) http.HandlerFunc {
	return func(writer http.ResponseWriter, request *http.Request) {
		review := admissionv1.AdmissionReview{}
		if err := json.NewDecoder(request.Body).Decode(&review); err != nil || review.Request == nil {
			http.Error(writer, fmt.Sprintf("no AdmissionReview: %v", err), http.StatusBadRequest)
			return
		}
		response := &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
		patch, err := mutate(review.Request)
		if err != nil {
			response.Allowed, response.Result = false, &metav1.Status{Message: err.Error(), Code: http.StatusForbidden}
		} else if len(patch) > 0 {
			kind := admissionv1.PatchTypeJSONPatch
			response.PatchType = &kind
			response.Patch, _ = json.Marshal(patch)
		}
		review.Request, review.Response = nil, response
		writer.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(writer).Encode(review)
	}
}
