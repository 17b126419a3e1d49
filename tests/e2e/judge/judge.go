// Package judge tells where pods ended. It looks at pods' names, bindings and the labels of nodes only, never at what
// toposeg wrote: which segment a pod belongs to is computed here from its index and the segment size.
package judge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"toposeg.io/tests/e2e/nodes"
)

// Place of a pod: the values of its node's labels, broad to close. Empty while the pod has no node.
type Place []string

// Pod is a member of a segment.
type Pod struct {
	Name  string
	Place Place
}

// Segment of a workload, with its pods by index.
type Segment struct {
	Group, Index int
	Pods         []Pod
}

// None is the level of a segment that no domain holds.
const None = -1

// Level is the position in nodes.Levels of the closest level whose domain holds all pods, or None. A domain is the same
// only if everything above it is.
func (s Segment) Level() int {
	level := len(nodes.Levels) - 1
	for _, pod := range s.Pods {
		if len(pod.Place) == 0 {
			return None
		}
		for level >= 0 && !slices.Equal(pod.Place[:level+1], s.Pods[0].Place[:level+1]) {
			level--
		}
	}
	return level
}

// Domain of the segment at a level, such as zone-0/block-01/rack-011; empty if it is in none.
func (s Segment) Domain(level int) string {
	if s.Level() < level {
		return ""
	}
	return strings.Join(s.Pods[0].Place[:level+1], "/")
}

func (s Segment) String() string {
	var where []string
	for _, pod := range s.Pods {
		where = append(where, pod.Name+" on "+strings.Join(pod.Place, "/"))
	}
	return fmt.Sprintf("group %d segment %d: %s", s.Group, s.Index, strings.Join(where, ", "))
}

// Nodes are the labels by which places are told.
type Nodes map[string]map[string]string

// Place of a pod by its node.
func (n Nodes) Place(pod *corev1.Pod) Place {
	labels := n[pod.Spec.NodeName]
	if labels == nil {
		return nil
	}
	var place Place
	for _, level := range nodes.Levels {
		place = append(place, labels[level])
	}
	return place
}

// PyTorchJob cuts the pods `<job>-worker-<i>` into segments of size; other pods belong to none.
func PyTorchJob(pods []corev1.Pod, where Nodes, job string, size int) []Segment {
	return cut(pods, where, func(name string) (group, segment int, ok bool) {
		index, found := strings.CutPrefix(name, job+"-worker-")
		i, err := strconv.Atoi(index)
		return 0, i / size, found && err == nil
	})
}

// Group says how the groups of a LeaderWorkerSet are cut.
type Group struct {
	Size, SubGroup int
	LeaderExcluded bool
}

func (g Group) segment(index int) (int, bool) {
	switch {
	case g.LeaderExcluded:
		return (index - 1) / g.SubGroup, index > 0
	case (g.Size-1)%g.SubGroup == 0 && g.Size%g.SubGroup != 0:
		return max(0, index-1) / g.SubGroup, true // the leader is an extra pod of segment 0
	default:
		return index / g.SubGroup, true
	}
}

// LeaderWorkerSet cuts the pods `<set>-<group>` and `<set>-<group>-<i>`.
func LeaderWorkerSet(pods []corev1.Pod, where Nodes, set string, shape Group) []Segment {
	return cut(pods, where, func(name string) (int, int, bool) {
		rest, found := strings.CutPrefix(name, set+"-")
		first, second, worker := strings.Cut(rest, "-")
		group, err1 := strconv.Atoi(first)
		index, err2 := strconv.Atoi(second)
		if !found || err1 != nil || (worker && err2 != nil) {
			return 0, 0, false
		}
		segment, ok := shape.segment(index)
		return group, segment, ok
	})
}

func cut(pods []corev1.Pod, where Nodes, member func(name string) (group, segment int, ok bool)) []Segment {
	var result []Segment
	for i := range pods {
		group, index, ok := member(pods[i].Name)
		if !ok {
			continue
		}
		at := slices.IndexFunc(result, func(s Segment) bool { return s.Group == group && s.Index == index })
		if at < 0 {
			at = len(result)
			result = append(result, Segment{Group: group, Index: index})
		}
		result[at].Pods = append(result[at].Pods, Pod{pods[i].Name, where.Place(&pods[i])})
	}
	slices.SortFunc(result, func(a, b Segment) int {
		if a.Group != b.Group {
			return a.Group - b.Group
		}
		return a.Index - b.Index
	})
	return result
}

// Split gives the segments that no single domain of the level holds.
func Split(segments []Segment, level string) []Segment {
	var split []Segment
	for _, segment := range segments {
		if segment.Level() < slices.Index(nodes.Levels, level) {
			split = append(split, segment)
		}
	}
	return split
}
