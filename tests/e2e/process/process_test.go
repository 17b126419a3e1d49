package process

import (
	"context"
	"errors"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"toposeg.io/tests/e2e/await"
)

func start(t *testing.T, script string) *Process {
	t.Helper()
	p, err := Start(Command{Name: "child", Path: "/bin/sh", Args: []string{"-c", script}, Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	return p
}

func TestAChildThatIgnoresThePoliteSignalIsEndedAllTheSame(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Start(Command{
		Name: "stubborn", Path: "/bin/sh", Args: []string{"-c", "trap '' TERM; echo ready; while :; do sleep 1; done"},
		Folder: t.TempDir(), Output: writer,
	})
	writer.Close()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Read(make([]byte, 16)); err != nil { // from now on it ignores the signal
		t.Fatal(err)
	}
	p.Stop(100 * time.Millisecond)
	if p.Alive() {
		t.Error("it lives")
	}
	err = await.Until(context.Background(), 5*time.Second, "its whole group gone", func(context.Context) string {
		if err := syscall.Kill(-p.Pid(), 0); !errors.Is(err, syscall.ESRCH) {
			return "something of it is there"
		}
		return ""
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAPausedChildIsStoppedToo(t *testing.T) {
	p := start(t, "while :; do sleep 1; done")
	p.Pause()
	p.Stop(5 * time.Second)
	if p.Alive() {
		t.Error("it lives")
	}
}

func TestTheLogHasWhatAChildSaysAndASecondOneAddsToIt(t *testing.T) {
	folder := t.TempDir()
	for _, text := range []string{"first", "second"} {
		p, err := Start(Command{Name: "talker", Path: "/bin/sh", Args: []string{"-c", "echo " + text + " >&2"}, Folder: folder})
		if err != nil {
			t.Fatal(err)
		}
		<-p.Ended()
	}
	log, err := os.ReadFile(folder + "/talker.log")
	if err != nil || string(log) != "first\nsecond\n" {
		t.Errorf("log: %q, %v", log, err)
	}
}

func TestAProgramThatIsNotThereIsNamed(t *testing.T) {
	_, err := Start(Command{Name: "nobody", Path: "/nowhere/nobody", Folder: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "/nowhere/nobody") {
		t.Errorf("error: %v", err)
	}
}

func TestListenersOfThisProcessAreFound(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	all, err := Listeners(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range all {
		if address.String() == listener.Addr().String() {
			return
		}
	}
	t.Errorf("%v is not among %v", listener.Addr(), all)
}

func TestFreePortsAreDifferent(t *testing.T) {
	ports, err := FreePorts(50)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, port := range ports {
		if seen[port] {
			t.Errorf("port %d came twice", port)
		}
		seen[port] = true
	}
}

func TestAProcessThatWorksUsesProcessorTime(t *testing.T) {
	p, err := Start(Command{Name: "worker", Path: "/bin/sh", Args: []string{"-c", "while :; do :; done"}, Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	for deadline := time.Now().Add(10 * time.Second); ; {
		used, err := p.ProcessorTime()
		if err != nil {
			t.Fatal(err)
		}
		if used > 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("no processor time after ten seconds of work")
		}
	}
}
