package lws

import appsv1 "k8s.io/api/apps/v1"

// rollout decides how many leaders there are and from which index on they have the new template. At rest that is all
// replicas, and 0. During an update surge groups stand beyond the replicas, and the partition falls by as many groups as
// may be unavailable each time when all above it are new and ready.
func rollout(s *set, present *appsv1.StatefulSet, revision string, groups map[int]*group) (replicas, partition int32) {
	replicas = s.Spec.Replicas
	if present == nil || updated(s, revision, groups) {
		return replicas, 0
	}
	unavailable := max(1, s.scaled(s.Spec.RolloutStrategy.Configuration.MaxUnavailable, false))
	surge := s.scaled(s.Spec.RolloutStrategy.Configuration.MaxSurge, true)
	partition = max(0, replicas-unavailable)
	if present.Labels[labelRevision] == revision {
		partition = min(*present.Spec.UpdateStrategy.RollingUpdate.Partition, replicas)
		if allNewAndReady(s, revision, groups, partition, replicas+surge) {
			partition = max(0, partition-unavailable-surge)
		}
	}
	return replicas + surge, partition
}

// updated tells whether every replica below the wanted count has the revision, which is so when nothing changed.
func updated(s *set, revision string, groups map[int]*group) bool {
	if len(groups) == 0 {
		return true
	}
	for index, g := range groups {
		if index < int(s.Spec.Replicas) && g.leader.Labels[labelRevision] != revision {
			return false
		}
	}
	return allNewAndReady(s, revision, groups, 0, s.Spec.Replicas) || len(groups) <= int(s.Spec.Replicas)
}

func allNewAndReady(s *set, revision string, groups map[int]*group, from, to int32) bool {
	for index := from; index < to; index++ {
		g := groups[int(index)]
		if g == nil || g.leader.Labels[labelRevision] != revision || !g.ready(s.Spec.Template.Size) {
			return false
		}
	}
	return true
}
