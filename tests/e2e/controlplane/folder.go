package controlplane

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const folderPrefix = "toposeg-e2e-"

// newFolder makes the folder of a cluster; its name holds our process id.
func newFolder() (string, error) {
	return os.MkdirTemp("", fmt.Sprintf("%s%d-", folderPrefix, os.Getpid()))
}

// removeStaleFolders removes what runs left behind that were killed and could not clean up.
func removeStaleFolders() {
	folders, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*"))
	for _, folder := range folders {
		text, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(folder), folderPrefix), "-")
		pid, err := strconv.Atoi(text)
		if err == nil && syscall.Kill(pid, 0) == syscall.ESRCH {
			_ = os.RemoveAll(folder)
		}
	}
}
