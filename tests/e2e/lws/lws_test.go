package lws

import "testing"

func TestWorkersFallIntoSubgroupsAsRecordedFromTheRealController(t *testing.T) {
	for _, want := range []struct{ worker, size, sub, group int }{
		{1, 5, 2, 0}, {2, 5, 2, 0}, {3, 5, 2, 1}, {4, 5, 2, 1}, // the leader is an extra one of subgroup 0
		{1, 8, 2, 0}, {2, 8, 2, 1}, {7, 8, 2, 3}, {2, 3, 3, 0},
		{3, 4, 3, 0}, {1, 3, 1, 1}, {2, 3, 1, 2},
	} {
		if got := subGroup(want.worker, want.size, want.sub); got != want.group {
			t.Errorf("worker %d of %d, subgroups of %d: subgroup %d, want %d", want.worker, want.size, want.sub, got, want.group)
		}
	}
}

func TestKeysAreThoseOfTheRealController(t *testing.T) {
	for text, want := range map[string]string{
		"ml-team/lws-segmented-0": "04d60cc314345be4599d17daf51f28ba983613af",
		"lws-segmented-0/0":       "2eaf79f1a4116ed29505265c1abda07791f39362",
		"lws-segmented-0/1":       "593b6217336a958d8ddc5932e2c298a9aae71cca",
	} {
		if got := hash(text); got != want {
			t.Errorf("key of %s is %s, want %s", text, got, want)
		}
	}
}
