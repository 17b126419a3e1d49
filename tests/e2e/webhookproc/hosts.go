package webhookproc

import (
	"context"
	"encoding/json"
)

// Host as the webhook sees it now.
type Host struct {
	Healthy bool
	Free    bool // a pod that takes the whole host would fit, reservations considered
}

// Hosts that the webhook knows, by their hostname label.
func (w *Webhook) Hosts(ctx context.Context) (map[string]Host, error) {
	text, err := w.Page(ctx, "/debug/topology")
	if err != nil {
		return nil, err
	}
	page := struct {
		Topologies []struct {
			Domains []struct {
				Level   string   `json:"level"`
				Path    []string `json:"path"`
				Healthy int      `json:"healthy"`
				Free    int      `json:"free"`
			} `json:"domains"`
		} `json:"topologies"`
	}{}
	if err := json.Unmarshal([]byte(text), &page); err != nil {
		return nil, err
	}
	hosts := map[string]Host{}
	for _, topology := range page.Topologies {
		for _, domain := range topology.Domains {
			if domain.Level == "kubernetes.io/hostname" {
				hosts[domain.Path[len(domain.Path)-1]] = Host{domain.Healthy > 0, domain.Free > 0}
			}
		}
	}
	return hosts, nil
}
