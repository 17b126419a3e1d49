package process

import (
	"os/exec"
	"runtime"
	"sync"
)

// The kernel sends the death signal when the *thread* that started a child ends, so all children are started by one
// goroutine that owns its thread for ever.
type request struct {
	cmd    *exec.Cmd
	result chan error
}

var (
	requests = make(chan request)
	once     sync.Once
)

func startOnLastingThread(cmd *exec.Cmd) error {
	once.Do(func() {
		go func() {
			runtime.LockOSThread()
			for r := range requests {
				r.result <- r.cmd.Start()
			}
		}()
	})
	r := request{cmd, make(chan error)}
	requests <- r
	return <-r.result
}
