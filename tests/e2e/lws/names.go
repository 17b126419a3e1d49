// Package lws stands in for the LeaderWorkerSet controller, whose module cannot be built from the Go proxy. It makes the
// same objects in the same order: leader StatefulSet, leader pods, one worker StatefulSet for each leader, with the
// labels and annotations of the real one, its defaults and its pod webhook. Left out: exclusive topology, subdomains of
// their own, volume claims, Volcano, TPU variables.
package lws

import (
	"crypto/sha1"
	"encoding/hex"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

const (
	prefix          = "leaderworkerset.sigs.k8s.io/"
	labelName       = prefix + "name"
	labelWorker     = prefix + "worker-index"
	labelGroup      = prefix + "group-index"
	labelGroupKey   = prefix + "group-key"
	labelRevision   = prefix + "template-revision-hash"
	labelSubGroup   = prefix + "subgroup-index"
	labelSubKey     = prefix + "subgroup-key"
	annotationSize  = prefix + "size"
	annotationSub   = prefix + "subgroup-size"
	annotationType  = prefix + "subgroup-policy-type"
	annotationOwner = prefix + "leader-name"
	annotationCount = prefix + "replicas"

	leaderExcluded = "LeaderExcluded"
)

// Resource is where LeaderWorkerSets are served.
var Resource = schema.GroupVersionResource{Group: "leaderworkerset.x-k8s.io", Version: "v1", Resource: "leaderworkersets"}

// hash names a group or subgroup by the text that tells it apart.
func hash(text string) string {
	sum := sha1.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

// ordinal is the number at the end of a StatefulSet pod's name.
func ordinal(pod string) (int, bool) {
	number, err := strconv.Atoi(pod[strings.LastIndexByte(pod, '-')+1:])
	return number, err == nil
}

// subGroup of a worker in a group of size pods, subgroups of s.
func subGroup(worker, size, s int) int {
	if (size-1)%s == 0 && size%s != 0 {
		return (worker - 1) / s
	}
	return worker / s
}
