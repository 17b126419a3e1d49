package process

import (
	"io"
	"net"
	"sync"
)

// Bridge passes connections to 127.0.0.1 on to another address until it is cut, as a network does that fails.
type Bridge struct {
	listener net.Listener
	target   string

	mutex sync.Mutex
	cut   bool
	ends  map[net.Conn]bool
}

// NewBridge listens on a free port; Close ends it.
func NewBridge(target string) (*Bridge, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &Bridge{listener: listener, target: target, ends: map[net.Conn]bool{}}
	go b.accept()
	return b, nil
}

// Address is where it listens.
func (b *Bridge) Address() string { return b.listener.Addr().String() }

// Cut ends every connection, and each new one as soon as it is made.
func (b *Bridge) Cut() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.cut = true
	for end := range b.ends {
		end.Close()
	}
}

// Mend lets new connections through again.
func (b *Bridge) Mend() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.cut = false
}

// Close ends it for good.
func (b *Bridge) Close() {
	b.listener.Close()
	b.Cut()
}

func (b *Bridge) accept() {
	for {
		near, err := b.listener.Accept()
		if err != nil {
			return
		}
		go b.pass(near)
	}
}

func (b *Bridge) pass(near net.Conn) {
	defer near.Close()
	far, err := net.Dial("tcp", b.target)
	if err != nil {
		return
	}
	defer far.Close()
	if !b.take(near, far) {
		return
	}
	defer b.drop(near, far)
	done := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
		go func() {
			_, _ = io.Copy(way[0], way[1])
			done <- struct{}{}
		}()
	}
	<-done // either side has ended: so does the other
}

func (b *Bridge) take(ends ...net.Conn) bool {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for _, end := range ends {
		b.ends[end] = true
	}
	return !b.cut
}

func (b *Bridge) drop(ends ...net.Conn) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for _, end := range ends {
		delete(b.ends, end)
	}
}
