// Package webhookproc runs toposeg-webhook as a process beside the control plane, registered by URL.
package webhookproc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"toposeg.io/tests/e2e/await"
	"toposeg.io/tests/e2e/controlplane"
	"toposeg.io/tests/e2e/process"
)

const (
	namespace = "toposeg-system"
	account   = "toposeg"
	patience  = time.Minute
)

// Webhook is a running toposeg-webhook. Killed and started again it answers at the same address, as a pod behind its
// Service would.
type Webhook struct {
	Port      int
	PlainPort int

	program     string
	cluster     *controlplane.Cluster
	certificate string
	key         string
	config      string
	chart       *chart
	token       *controlplane.Token
	kubeconfig  string // its token's, or one that leads another way
	running     *process.Process
}

// Start runs the program as the chart in a folder says, registers its hooks and returns when it is ready.
func Start(ctx context.Context, cluster *controlplane.Cluster, program, chartFolder string) (*Webhook, error) {
	folder, err := cluster.Folder("webhook")
	if err != nil {
		return nil, err
	}
	// A port that the kernel chose could be some connection's when the process comes back to it after Kill.
	ports, err := process.FreePorts(2)
	if err != nil {
		return nil, err
	}
	w := &Webhook{Port: ports[0], PlainPort: ports[1], program: program, cluster: cluster, config: filepath.Join(folder, "toposeg.yaml")}
	if w.chart, err = render(ctx, cluster, chartFolder); err != nil {
		return nil, err
	}
	if err := w.writeFiles(folder); err != nil {
		return nil, err
	}
	if w.token, err = cluster.NewToken(ctx, folder, namespace, account); err != nil {
		return nil, err
	}
	w.kubeconfig = w.token.Kubeconfig
	if err := cluster.Apply(ctx, w.chart.roles()); err != nil {
		return nil, err
	}
	if err = w.run(ctx); err == nil {
		err = w.Register(ctx)
	}
	if err != nil {
		w.Stop()
	}
	return w, err
}

// writeFiles puts the chart's configuration and a certificate where the process finds them.
func (w *Webhook) writeFiles(folder string) error {
	config, err := w.chart.configuration()
	if err != nil {
		return err
	}
	if err := os.WriteFile(w.config, []byte(config), 0o644); err != nil {
		return err
	}
	pair, err := w.cluster.Webhooks.Server()
	if err != nil {
		return err
	}
	w.certificate, w.key, err = pair.Write(folder, "tls")
	return err
}

// run starts the process, on the ports of its predecessor if there was one.
func (w *Webhook) run(ctx context.Context) error {
	reader, writer, err := os.Pipe()
	if err != nil {
		return err
	}
	arguments := []string{"serve", "--kubeconfig", w.kubeconfig, "--config", w.config, "--certificate", w.certificate, "--key", w.key,
		"--address", "127.0.0.1", "--port", strconv.Itoa(w.Port), "--plain-address", "127.0.0.1",
		"--plain-port", strconv.Itoa(w.PlainPort), "--lame-duck", "0"}
	w.running, err = process.Start(process.Command{
		Name: "toposeg-webhook", Path: w.program, Args: arguments, Folder: w.cluster.Logs, Output: writer,
	})
	writer.Close()
	if err != nil {
		reader.Close()
		return err
	}
	if err := w.readPorts(reader); err != nil {
		return fmt.Errorf("%w; its log is %s", err, w.running.Log)
	}
	return w.waitReady(ctx)
}

// readPorts takes the one line that the program prints once it listens.
func (w *Webhook) readPorts(output *os.File) error {
	defer output.Close()
	if err := output.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("toposeg-webhook printed no line with its ports: %w", err)
	}
	ports := struct {
		Port  int `json:"port"`
		Plain int `json:"plain_port"`
	}{}
	if err := json.Unmarshal(line, &ports); err != nil || ports.Port == 0 || ports.Plain == 0 {
		return fmt.Errorf("toposeg-webhook printed %q instead of its ports", line)
	}
	w.Port, w.PlainPort = ports.Port, ports.Plain
	return nil
}

func (w *Webhook) waitReady(ctx context.Context) error {
	return await.Until(ctx, patience, "toposeg-webhook ready", func(ctx context.Context) string {
		if !w.running.Alive() {
			return "it has ended; its log is " + w.running.Log
		}
		if _, err := w.Page(ctx, "/readyz"); err != nil {
			return err.Error()
		}
		return ""
	})
}

// Stop ends the process as Kubernetes would.
func (w *Webhook) Stop() {
	if w.running != nil {
		w.running.Stop(patience)
	}
}

// RotateToken gives the process a new token in place of its own, which is revoked.
func (w *Webhook) RotateToken(ctx context.Context) (old string, err error) {
	return w.token.Rotate(ctx)
}

// Kill ends the process at once, as a crash would.
func (w *Webhook) Kill() { w.running.Kill() }

// Restart starts it again after Kill.
func (w *Webhook) Restart(ctx context.Context) error {
	w.kubeconfig = w.token.Kubeconfig
	return w.run(ctx)
}

// RestartThrough does the same with another URL for the API server.
func (w *Webhook) RestartThrough(ctx context.Context, url string) error {
	text, err := os.ReadFile(w.token.Kubeconfig)
	if err != nil {
		return err
	}
	w.kubeconfig = w.token.Kubeconfig + ".through"
	if err := os.WriteFile(w.kubeconfig, bytes.Replace(text, []byte(w.cluster.URL), []byte(url), 1), 0o600); err != nil {
		return err
	}
	return w.run(ctx)
}

// Alive tells whether the process runs.
func (w *Webhook) Alive() bool { return w.running.Alive() }

// ProcessorTime that the running webhook has used.
func (w *Webhook) ProcessorTime() (time.Duration, error) { return w.running.ProcessorTime() }

// Pid is the process id of the running webhook.
func (w *Webhook) Pid() int { return w.running.Pid() }
