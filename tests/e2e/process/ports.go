package process

import (
	"fmt"
	"math/rand/v2"
	"net"
)

// The range lies below the one from which the kernel takes ports for outgoing connections, so a port that is free now
// is still free when the component opens it.
const firstPort, lastPort = 20000, 32000

// FreePorts gives count different ports of 127.0.0.1 that nobody listens on.
func FreePorts(count int) ([]int, error) {
	ports := make([]int, 0, count)
	for tries := 0; len(ports) < count && tries < 1000; tries++ {
		port := firstPort + rand.IntN(lastPort-firstPort)
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		defer listener.Close() // held until all are found, so that none comes twice
		ports = append(ports, port)
	}
	if len(ports) < count {
		return nil, fmt.Errorf("only %d of %d ports between %d and %d are free", len(ports), count, firstPort, lastPort)
	}
	return ports, nil
}
