"""AdmissionReviews as the API server sends them, and what it does with the answer."""
import base64
import copy
import json
import uuid

KUBECTL_USER = "kubernetes-admin"
RESOURCES = {"PyTorchJob": "pytorchjobs", "LeaderWorkerSet": "leaderworkersets",
             "DistributedWorkload": "distributedworkloads", "Pod": "pods", "Topology": "topologies"}
HOOKS = {"Pod": "/v1/pods", "Topology": "/v1/topologies"}


def hook_of(kind):
    return HOOKS.get(kind, "/v1/workloads")


def review_of(document, user=KUBECTL_USER, field_manager="kubectl-create", dry_run=False):
    """A CREATE of this object."""
    group, _, version = document["apiVersion"].rpartition("/")
    kind = {"group": group, "version": version, "kind": document["kind"]}
    resource = {"group": group, "version": version, "resource": RESOURCES[document["kind"]]}
    options = {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1"}
    if field_manager:
        options["fieldManager"] = field_manager
    groups = ["system:authenticated"]
    return {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": {
        "uid": str(uuid.uuid4()), "kind": kind, "resource": resource, "requestKind": kind, "requestResource": resource,
        "name": document["metadata"].get("name", ""), "namespace": document["metadata"].get("namespace", "default"),
        "operation": "CREATE", "userInfo": {"username": user, "groups": groups}, "object": document,
        "oldObject": None, "dryRun": dry_run, "options": options}}


def patch_of(response):
    """The operations of a response; empty when it has none."""
    return json.loads(base64.b64decode(response["patch"])) if "patch" in response else []


def _unescape(token):
    return token.replace("~1", "/").replace("~0", "~")


def apply(document, operations):
    """The document after add, replace and remove operations (RFC 6902); the given one is not touched."""
    result = copy.deepcopy(document)
    for operation in operations:
        tokens = [_unescape(token) for token in operation["path"].split("/")[1:]]
        parent = result
        for token in tokens[:-1]:
            parent = parent[int(token)] if isinstance(parent, list) else parent[token]
        last = tokens[-1]
        if isinstance(parent, list):
            index = len(parent) if last == "-" else int(last)
            if operation["op"] == "add":
                parent.insert(index, copy.deepcopy(operation["value"]))
            elif operation["op"] == "replace":
                parent[index] = copy.deepcopy(operation["value"])
            else:
                del parent[index]
        elif operation["op"] == "remove":
            del parent[last]
        else:
            if operation["op"] == "replace" and last not in parent:
                raise KeyError(operation["path"])
            parent[last] = copy.deepcopy(operation["value"])
    return result
