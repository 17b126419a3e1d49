package e2e

import (
	"fmt"
	"maps"
	"strconv"

	"sigs.k8s.io/yaml"
)

// job is a PyTorchJob as a user writes it. Zero values are left out of the manifest.
type job struct {
	name           string
	workers        int
	segment        int
	required       string // level of each segment
	preferred      string
	wholeRequired  string // level of the whole job
	wholePreferred string
	gpus           int // of each worker; 0 = the pods ask for nothing
	noMaster       bool
	least          int  // workers that an elastic job needs, and may have no more than it has now; 0 = it is not elastic
	plain          bool // none of our keys, not even the topology's name
	suspended      bool
	gate           string            // a scheduling gate of somebody else
	root           map[string]string // further annotations
	worker         map[string]string // further annotations of the workers
	selector       map[string]string
	scheduler      string // of the workers; "" = the default one
}

// pods that the job has when it runs.
func (j job) pods() int {
	if j.noMaster {
		return j.workers
	}
	return j.workers + 1
}

func (j job) yaml() string {
	worker := object{
		"replicas": j.workers,
		"template": object{"metadata": object{"annotations": j.annotations()}, "spec": podSpec("pytorch", j.gpus, j.selector)},
	}
	if j.scheduler != "" {
		worker["template"].(object)["spec"].(object)["schedulerName"] = j.scheduler
	}
	if j.gate != "" {
		worker["template"].(object)["spec"].(object)["schedulingGates"] = []any{object{"name": j.gate}}
	}
	specs := object{"Worker": worker}
	if !j.noMaster {
		specs["Master"] = object{"replicas": 1, "template": object{"spec": podSpec("pytorch", 0, j.selector)}}
	}
	spec := object{"pytorchReplicaSpecs": specs}
	if j.least > 0 {
		spec["elasticPolicy"] = object{"minReplicas": j.least, "maxReplicas": j.workers}
	}
	if j.suspended {
		spec["runPolicy"] = object{"suspend": true}
	}
	root := maps.Clone(j.root)
	if root == nil {
		root = map[string]string{}
	}
	set(root, "kai.scheduler/topology-required-placement", j.wholeRequired)
	set(root, "kai.scheduler/topology-preferred-placement", j.wholePreferred)
	return text(object{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": object{"name": j.name, "annotations": root}, "spec": spec,
	})
}

func (j job) annotations() map[string]string {
	if j.plain {
		return nil
	}
	annotations := map[string]string{"kai.scheduler/topology": "cluster-topology"}
	if j.segment > 0 {
		annotations["kai.scheduler/segment-size"] = strconv.Itoa(j.segment)
	}
	set(annotations, "kai.scheduler/segment-topology-required-placement", j.required)
	set(annotations, "kai.scheduler/segment-topology-preferred-placement", j.preferred)
	maps.Copy(annotations, j.worker)
	return annotations
}

// leaderWorkerSet is a LeaderWorkerSet as a user writes it.
type leaderWorkerSet struct {
	name         string
	replicas     int
	size         int
	subGroup     int
	excluded     bool
	required     string
	gpus         int
	leaderReady  bool
	surge        int
	customLeader bool // a test says when the leader is ready
	image        string
}

func (l leaderWorkerSet) yaml() string {
	policy := object{"subGroupSize": l.subGroup, "subGroupPolicyType": "LeaderWorker"}
	if l.excluded {
		policy["subGroupPolicyType"] = "LeaderExcluded"
	}
	annotations := map[string]string{"kai.scheduler/topology": "cluster-topology"}
	set(annotations, "kai.scheduler/segment-topology-required-placement", l.required)
	leader := object{"spec": podSpec("leader", l.gpus, nil)}
	if l.customLeader {
		leader["metadata"] = object{"annotations": map[string]string{"kwok.x-k8s.io/status": "custom"}}
	}
	spec := object{"replicas": l.replicas, "leaderWorkerTemplate": object{
		"size": l.size, "subGroupPolicy": policy, "leaderTemplate": leader,
		"workerTemplate": object{"metadata": object{"annotations": annotations}, "spec": podSpec("worker", l.gpus, nil)},
	}}
	if l.leaderReady {
		spec["startupPolicy"] = "LeaderReady"
	}
	if l.surge > 0 {
		spec["rolloutStrategy"] = object{"type": "RollingUpdate", "rollingUpdateConfiguration": object{
			"maxUnavailable": 1, "maxSurge": l.surge, "partition": 0,
		}}
	}
	return text(object{
		"apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet",
		"metadata": object{"name": l.name}, "spec": spec,
	})
}

// stranger is a pod that has nothing to do with toposeg; node "" lets the scheduler choose.
func stranger(name, node string, gpus int) string {
	spec := podSpec("main", gpus, nil)
	if node != "" {
		spec["nodeName"] = node
	}
	return text(object{"apiVersion": "v1", "kind": "Pod", "metadata": object{"name": name}, "spec": spec})
}

type object = map[string]any

func podSpec(container string, gpus int, selector map[string]string) object {
	main := object{"name": container, "image": "registry.example.com/train:1"}
	if gpus > 0 {
		amounts := object{"cpu": strconv.Itoa(gpus * 8), "memory": fmt.Sprintf("%dGi", gpus*64), "nvidia.com/gpu": strconv.Itoa(gpus)}
		main["resources"] = object{"requests": amounts, "limits": amounts}
	}
	spec := object{"containers": []any{main}}
	if len(selector) > 0 {
		spec["nodeSelector"] = selector
	}
	return spec
}

func set(annotations map[string]string, key, value string) {
	if value != "" {
		annotations[key] = value
	}
}

// text of an object; several are one manifest.
func text(objects ...object) string {
	var all string
	for _, one := range objects {
		part, err := yaml.Marshal(one)
		if err != nil {
			panic(err)
		}
		all += "---\n" + string(part)
	}
	return all
}
