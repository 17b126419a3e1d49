package judge

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"toposeg.io/tests/e2e/nodes"
)

func pod(name, node string) corev1.Pod {
	return corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{NodeName: node}}
}

func host(zone, block, rack, name string) map[string]string {
	return map[string]string{nodes.Zone: zone, nodes.Block: block, nodes.Rack: rack, nodes.Host: name}
}

var where = Nodes{
	"a": host("z", "b1", "r", "a"), "b": host("z", "b1", "r", "b"),
	"c": host("z", "b2", "r", "c"), // a rack of the same name in another block is another rack
}

func TestTheMasterIsInNoSegmentAndWorkersAreCutByIndex(t *testing.T) {
	pods := []corev1.Pod{pod("j-master-0", "c"), pod("j-worker-1", "b"), pod("j-worker-0", "a"), pod("j-worker-2", "c")}
	segments := PyTorchJob(pods, where, "j", 2)
	if len(segments) != 2 || len(segments[0].Pods) != 2 || len(segments[1].Pods) != 1 {
		t.Fatalf("segments: %v", segments)
	}
	if split := Split(segments, nodes.Rack); len(split) != 0 {
		t.Errorf("split: %v", split)
	}
}

func TestRacksOfOneNameInTwoBlocksAreTwo(t *testing.T) {
	segments := PyTorchJob([]corev1.Pod{pod("j-worker-0", "a"), pod("j-worker-1", "c")}, where, "j", 2)
	if split := Split(segments, nodes.Rack); len(split) != 1 {
		t.Errorf("split: %v", split)
	}
	if level := segments[0].Level(); level != 0 {
		t.Errorf("level %d, want the zone", level)
	}
}

func TestAPodWithoutANodeMakesItsSegmentUnplaced(t *testing.T) {
	segments := PyTorchJob([]corev1.Pod{pod("j-worker-0", "a"), pod("j-worker-1", "")}, where, "j", 2)
	if level := segments[0].Level(); level != None {
		t.Errorf("level %d", level)
	}
}

func TestLeadersJoinOrStandApartAsTheirTypeSays(t *testing.T) {
	pods := []corev1.Pod{pod("s-0", "a"), pod("s-0-1", "a"), pod("s-0-2", "a"), pod("s-0-3", "a"), pod("s-0-4", "a")}
	joined := LeaderWorkerSet(pods, where, "s", Group{Size: 5, SubGroup: 2})
	if len(joined) != 2 || len(joined[0].Pods) != 3 {
		t.Errorf("LeaderWorker: %v", joined)
	}
	apart := LeaderWorkerSet(pods, where, "s", Group{Size: 5, SubGroup: 2, LeaderExcluded: true})
	if len(apart) != 2 || len(apart[0].Pods) != 2 {
		t.Errorf("LeaderExcluded: %v", apart)
	}
}
