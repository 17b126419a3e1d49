package e2e

import (
	"os"
	"testing"

	"toposeg.io/tests/e2e/process"
)

func TestEverythingListensOnThisMachineOnly(t *testing.T) {
	programs := map[string]int{"these tests": os.Getpid(), "toposeg-webhook": webhook.Pid()}
	for _, name := range []string{"etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok", "training-operator"} {
		programs[name] = cluster.Process(name).Pid()
	}
	for name, pid := range programs {
		listeners, err := process.Listeners(pid)
		must(t, err)
		if len(listeners) == 0 {
			t.Errorf("%s listens nowhere: is it looked at rightly?", name)
		}
		for _, address := range listeners {
			if !address.Addr().IsLoopback() {
				t.Errorf("%s listens on %v", name, address)
			}
		}
	}
}
