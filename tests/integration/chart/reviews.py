"""Objects that the API server may see, and the hook that it should call for each."""


def job(**changed):
    """A PyTorchJob that asks for nothing, with some of its fields changed."""
    template = {"spec": {"containers": []}}
    return {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": "job"},
            "spec": {"pytorchReplicaSpecs": {"Worker": {"replicas": 4, "template": template}}}, **changed}


def replicas(name, spec):
    return job(spec={"pytorchReplicaSpecs": {name: spec}})


def lws(template):
    return {"apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet", "metadata": {"name": "set"},
            "spec": {"leaderWorkerTemplate": template}}


def native(spec):
    return {"apiVersion": "run.ai/v2alpha1", "kind": "DistributedWorkload", "metadata": {"name": "native"},
            "spec": spec}


def noted(annotations, **fields):
    """The same with annotations and other metadata."""
    return job(metadata={"name": "job", "annotations": annotations, **fields})


SIZE = {"kai.scheduler/segment-size": "4"}
NUMBER = {"kai.scheduler/segment-size": 4}
SIZED = {"metadata": {"annotations": SIZE}}
MANY = {f"example.com/a-rather-long-annotation-of-another-product-{i}": "" for i in range(3000)}
ASKS, SILENT, PASSED = "workloads", "automation", None
# Name, the object, the one before an UPDATE, the hook that is called.
REVIEWS = [
    ("a size on the worker template", replicas("Worker", {"template": SIZED}), None, ASKS),
    ("a replica type in another letter case", replicas("worker", {"template": SIZED}), None, ASKS),
    ("a size on the Master", replicas("Master", {"template": SIZED}), None, ASKS),
    ("a number as annotation", replicas("Worker", {"template": {"metadata": {"annotations": NUMBER}}}), None, ASKS),
    ("a key at the root", noted({"kai.scheduler/topology": "t"}), None, ASKS),
    ("an option of ours", noted({"toposeg.io/automatic": "true"}), None, ASKS),
    ("the worker template of a set", lws({"workerTemplate": SIZED}), None, ASKS),
    ("the leader template of a set", lws({"leaderTemplate": SIZED}), None, ASKS),
    ("subgroups of a set", lws({"size": 4, "subGroupPolicy": {"subGroupSize": 2}}), None, ASKS),
    ("the size field of a native workload", native({"workersPerSegment": {"value": 4}}), None, ASKS),
    ("a wrapped annotation of a native workload", native({"annotations": {"items": NUMBER}}), None, ASKS),
    ("an input that changes", noted(SIZE), noted({}), ASKS),
    ("an input that goes", job(), noted(SIZE), ASKS),
    ("a label that changes", noted(SIZE, labels={"a": "b"}), noted(SIZE), ASKS),
    ("a status that changes", {**noted(SIZE), "status": {"a": 1}}, noted(SIZE), PASSED),
    ("a finalizer that goes", noted(SIZE), noted(SIZE, finalizers=["a"]), PASSED),
    ("an object that is being deleted", noted(SIZE, deletionTimestamp="2026-01-02T03:04:05Z"), noted({}), PASSED),
    ("a job that asks for nothing", job(), None, SILENT),
    ("a set that asks for nothing", lws({"size": 4}), None, SILENT),
    ("annotations of others", noted({"kai.scheduler/queue": "a"}), None, SILENT),
    ("very many annotations of others", noted(MANY), None, SILENT),
    ("no spec", {**job(), "spec": None}, None, SILENT),
    ("a spec that is text", job(spec="all of it"), None, SILENT),
    ("replica specs in a list", job(spec={"pytorchReplicaSpecs": [{"template": SIZED}]}), None, SILENT),
    ("a replica spec that is a list", replicas("Worker", [SIZED]), None, SILENT),
    ("a template that is null", replicas("Worker", {"template": None}), None, SILENT),
    ("annotations that are null", replicas("Worker", {"template": {"metadata": {"annotations": None}}}), None, SILENT),
    ("annotations that are text", replicas("Worker", {"template": {"metadata": {"annotations": "a"}}}), None, SILENT),
    ("a group template that is a number", lws(3), None, SILENT),
    ("subgroups that are null", lws({"subGroupPolicy": None}), None, SILENT),
    ("a size field that is not wrapped", native({"workersPerSegment": 4}), None, SILENT),
    ("wrapped annotations without items", native({"annotations": {"a": "b"}}), None, SILENT),
]
