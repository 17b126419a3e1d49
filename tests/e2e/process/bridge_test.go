package process

import (
	"bufio"
	"fmt"
	"net"
	"testing"
)

// echo answers every line with itself.
func echo(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer connection.Close()
				for lines := bufio.NewScanner(connection); lines.Scan(); {
					fmt.Fprintln(connection, lines.Text())
				}
			}()
		}
	}()
	return listener.Addr().String()
}

// says sends a line over a connection and tells whether it comes back.
func says(connection net.Conn) bool {
	if _, err := fmt.Fprintln(connection, "hello"); err != nil {
		return false
	}
	line, err := bufio.NewReader(connection).ReadString('\n')
	return err == nil && line == "hello\n"
}

func TestABridgePassesOnUntilItIsCutAndAgainWhenItIsMended(t *testing.T) {
	bridge, err := NewBridge(echo(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(bridge.Close)
	dial := func() net.Conn {
		connection, err := net.Dial("tcp", bridge.Address())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { connection.Close() })
		return connection
	}
	old := dial()
	if !says(old) {
		t.Error("nothing comes through")
	}
	bridge.Cut()
	if says(old) || says(dial()) {
		t.Error("something comes through although it is cut")
	}
	bridge.Mend()
	if !says(dial()) {
		t.Error("nothing comes through although it is mended")
	}
}
