"""Stand-ins for the operators: the pods that they make of a workload, as these reach a hook."""
import copy
import hashlib

TRAINING = "training.kubeflow.org/"
LWS = "leaderworkerset.sigs.k8s.io/"
TRAINING_USER = "system:serviceaccount:kubeflow:training-operator"
STATEFULSET_USER = "system:serviceaccount:kube-system:statefulset-controller"


def _pod(name, namespace, template, owner, labels, annotations):
    metadata = {"name": name, "namespace": namespace, "ownerReferences": [dict(owner, controller=True,
                                                                              blockOwnerDeletion=True)]}
    metadata["labels"] = {**template.get("metadata", {}).get("labels", {}), **labels}
    all_annotations = {**template.get("metadata", {}).get("annotations", {}), **annotations}
    if all_annotations:
        metadata["annotations"] = all_annotations
    spec = copy.deepcopy(template["spec"])
    spec.setdefault("schedulerName", "default-scheduler")
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def _pytorch_environment(job, role, index, masters, workers):
    rank = index + 1 if role == "worker" and masters else index
    values = {"PYTHONUNBUFFERED": "1", "MASTER_ADDR": f"{job}-master-0", "MASTER_PORT": "23456",
              "WORLD_SIZE": str(masters + workers), "RANK": str(rank)}
    return [{"name": name, "value": value} for name, value in values.items()]


def pytorchjob_pods(job, uid):
    """The Master's pods, then the workers'."""
    name, namespace = job["metadata"]["name"], job["metadata"].get("namespace", "default")
    specs = job["spec"]["pytorchReplicaSpecs"]
    counts = {role: specs[role].get("replicas", 1) for role in ("Master", "Worker") if role in specs}
    owner = {"apiVersion": job["apiVersion"], "kind": job["kind"], "name": name, "uid": uid}
    for role, count in counts.items():
        for index in range(count):
            labels = {TRAINING + "job-name": name, TRAINING + "operator-name": "pytorchjob-controller",
                      TRAINING + "replica-index": str(index), TRAINING + "replica-type": role.lower()}
            if role == "Master":
                labels[TRAINING + "job-role"] = "master"
            pod = _pod(f"{name}-{role.lower()}-{index}", namespace, specs[role]["template"], owner, labels, {})
            for container in pod["spec"]["containers"]:
                container.setdefault("env", []).extend(
                    _pytorch_environment(name, role.lower(), index, counts.get("Master", 0), counts["Worker"]))
            yield pod, TRAINING_USER


def _subgroup_of(worker, size, subgroup_size, excluded):
    if worker == 0:
        return None if excluded else 0
    if (size - 1) % subgroup_size == 0 and size % subgroup_size != 0:
        return (worker - 1) // subgroup_size
    return worker // subgroup_size


def _sha1(text):
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


def lws_pods(lws, uid):
    """Group by group: the leader, then its workers; labels as after the LWS webhook."""
    name, namespace = lws["metadata"]["name"], lws["metadata"].get("namespace", "default")
    inner = lws["spec"]["leaderWorkerTemplate"]
    size, policy = inner.get("size", 1), inner.get("subGroupPolicy", {})
    subgroup_size = policy.get("subGroupSize")
    excluded = policy.get("subGroupPolicyType") == "LeaderExcluded"
    for group in range(lws["spec"].get("replicas", 1)):
        leader = f"{name}-{group}"
        for worker in range(size):
            pod_name = leader if worker == 0 else f"{leader}-{worker}"
            labels = {LWS + "name": name, LWS + "group-index": str(group), LWS + "worker-index": str(worker),
                      LWS + "group-key": _sha1(f"{namespace}/{leader}"), LWS + "template-revision-hash": "5d8f7c6b9",
                      "apps.kubernetes.io/pod-index": str(group if worker == 0 else worker),
                      "statefulset.kubernetes.io/pod-name": pod_name}
            annotations = {LWS + "size": str(size)}
            if worker:
                annotations[LWS + "leader-name"] = leader
            if subgroup_size:
                annotations[LWS + "subgroup-size"] = str(subgroup_size)
                annotations[LWS + "subgroup-policy-type"] = policy.get("subGroupPolicyType", "LeaderWorker")
                subgroup = _subgroup_of(worker, size, subgroup_size, excluded)
                if subgroup is not None:
                    labels[LWS + "subgroup-index"] = str(subgroup)
                    labels[LWS + "subgroup-key"] = _sha1(f"{leader}/{subgroup}")
            template = inner["leaderTemplate"] if worker == 0 and "leaderTemplate" in inner else inner["workerTemplate"]
            owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": name if worker == 0 else leader,
                     "uid": f"{uid[:-4]}{group:04x}"}
            yield _pod(pod_name, namespace, template, owner, labels, annotations), STATEFULSET_USER


def pods_of(workload, uid):
    """Pairs of a pod and the user who creates it."""
    makers = {"PyTorchJob": pytorchjob_pods, "LeaderWorkerSet": lws_pods}
    return makers[workload["kind"]](workload, uid)
