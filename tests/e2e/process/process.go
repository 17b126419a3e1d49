// Package process runs programs as children that cannot outlive the tests: each is ended by Stop, and by the kernel
// should the test program itself be killed.
package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Command says what to run. The log, standard output and standard error together, is Folder/Name.log, and is appended
// to when a program of the same name is started again.
type Command struct {
	Name   string
	Path   string
	Args   []string
	Env    []string // added to the environment of the tests
	Folder string
	Output *os.File // standard output goes here instead of the log, if given
}

// Process is a running child.
type Process struct {
	Name string
	Log  string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

// Start runs the command in a process group of its own, so that an interrupt from the keyboard reaches only the tests.
func Start(c Command) (*Process, error) {
	log := filepath.Join(c.Folder, c.Name+".log")
	file, err := os.OpenFile(log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Env = append(os.Environ(), c.Env...)
	cmd.Stdout, cmd.Stderr = file, file
	if c.Output != nil {
		cmd.Stdout = c.Output
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := startOnLastingThread(cmd); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	p := &Process{Name: c.Name, Log: log, cmd: cmd, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// Pid is the child's process id.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// ProcessorTime is what all threads of the child have used so far.
func (p *Process) ProcessorTime() (time.Duration, error) {
	const ticks = 100 // a second, as the kernel shows them to every program
	file := fmt.Sprintf("/proc/%d/stat", p.Pid())
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	// The name in parentheses may hold spaces; user and system time are the 12th and 13th field behind it.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 13 {
		return 0, fmt.Errorf("%s has only %d fields", file, len(fields))
	}
	user, err1 := strconv.ParseInt(fields[11], 10, 64)
	system, err2 := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * time.Second / ticks, errors.Join(err1, err2)
}

// Ended is closed once the child has ended.
func (p *Process) Ended() <-chan struct{} { return p.done }

// Alive tells whether the child still runs.
func (p *Process) Alive() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// Stop asks the child to end, and ends it after patience.
func (p *Process) Stop(patience time.Duration) {
	p.signal(syscall.SIGCONT)
	p.signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(patience):
		p.Kill()
	}
}

// Kill ends the child without asking, as a crash would.
func (p *Process) Kill() {
	p.signal(syscall.SIGKILL)
	<-p.done
}

// Pause stops the child where it is; Resume lets it go on.
func (p *Process) Pause() { p.signal(syscall.SIGSTOP) }

// Resume undoes Pause.
func (p *Process) Resume() { p.signal(syscall.SIGCONT) }

// signal goes to the child's whole group. The group exists as long as Wait has not returned.
func (p *Process) signal(s syscall.Signal) {
	if p.Alive() {
		_ = syscall.Kill(-p.cmd.Process.Pid, s)
	}
}
