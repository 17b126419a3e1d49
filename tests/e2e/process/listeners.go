package process

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Listeners are the addresses on which a process accepts TCP connections.
func Listeners(pid int) ([]netip.AddrPort, error) {
	folder := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	sockets := map[string]bool{}
	for _, entry := range entries {
		target, err := os.Readlink(filepath.Join(folder, entry.Name()))
		if inode, found := strings.CutPrefix(target, "socket:["); err == nil && found {
			sockets[strings.TrimSuffix(inode, "]")] = true
		}
	}
	var all []netip.AddrPort
	for _, table := range []string{"tcp", "tcp6"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if err != nil {
			return nil, err
		}
		for _, line := range strings.Split(string(text), "\n") {
			const local, state, inode, listening = 1, 3, 9, "0A"
			fields := strings.Fields(line)
			if len(fields) <= inode || fields[state] != listening || !sockets[fields[inode]] {
				continue
			}
			address, err := parseAddress(fields[local])
			if err != nil {
				return nil, err
			}
			all = append(all, address)
		}
	}
	return all, nil
}

// parseAddress reads the kernel's HEX:PORT; each group of four bytes stands in the machine's (little-endian) order.
func parseAddress(text string) (netip.AddrPort, error) {
	address, port, _ := strings.Cut(text, ":")
	bytes, err := hex.DecodeString(address)
	if err != nil {
		return netip.AddrPort{}, err
	}
	for i := 0; i+4 <= len(bytes); i += 4 {
		slices.Reverse(bytes[i : i+4])
	}
	ip, ok := netip.AddrFromSlice(bytes)
	number, err := strconv.ParseUint(port, 16, 16)
	if !ok || err != nil {
		return netip.AddrPort{}, fmt.Errorf("%q is no address of the kernel's table", text)
	}
	return netip.AddrPortFrom(ip.Unmap(), uint16(number)), nil
}
