package webhookproc

import (
	"context"
	"encoding/json"
	"fmt"
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

// Held are the places that the webhook keeps for pods of a namespace which are not bound, one line each.
func (w *Webhook) Held(ctx context.Context, namespace string) ([]string, error) {
	text, err := w.Page(ctx, "/debug/ledger")
	if err != nil {
		return nil, err
	}
	page := struct {
		Pods []struct {
			Namespace string `json:"namespace"`
			Workload  string `json:"workload"`
			Group     int    `json:"group"`
			Index     int    `json:"index"`
			Host      string `json:"host"`
			State     string `json:"state"`
		} `json:"pods"`
	}{}
	if err := json.Unmarshal([]byte(text), &page); err != nil {
		return nil, err
	}
	var held []string
	for _, pod := range page.Pods {
		if pod.Namespace == namespace {
			held = append(held, fmt.Sprintf("%s group %d pod %d is %s on %s", pod.Workload, pod.Group, pod.Index, pod.State, pod.Host))
		}
	}
	return held, nil
}
