package controlplane

import (
	"encoding/base64"
	"strings"
	"testing"
)

func authority(t *testing.T) *Cluster {
	t.Helper()
	webhooks, err := NewAuthority("test")
	if err != nil {
		t.Fatal(err)
	}
	return &Cluster{Webhooks: webhooks}
}

func TestAHooksServiceBecomesAURLWithTheAuthorityOfWebhooks(t *testing.T) {
	c := authority(t)
	changed, err := c.ByURL(`
kind: ValidatingWebhookConfiguration
metadata: {name: some}
webhooks:
- {name: a, clientConfig: {service: {name: s, namespace: n, path: /check}}}
---
kind: Service
spec: {clusterIP: None}
`, 1234)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"url: https://127.0.0.1:1234/check", base64.StdEncoding.EncodeToString(c.Webhooks.PEM), "clusterIP: None"} {
		if !strings.Contains(changed, part) {
			t.Errorf("%q is missing in:\n%s", part, changed)
		}
	}
	if strings.Contains(changed, "namespace: n") {
		t.Errorf("the Service is still there:\n%s", changed)
	}
}

func TestAHookWithoutAServiceIsNamed(t *testing.T) {
	_, err := authority(t).ByURL("kind: MutatingWebhookConfiguration\nmetadata: {name: some}\nwebhooks: [{name: a, clientConfig: {}}]\n", 1)
	if err == nil || !strings.Contains(err.Error(), "some: webhooks[0].clientConfig.service.path") {
		t.Errorf("error: %v", err)
	}
}
