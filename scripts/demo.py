#!/usr/bin/env python3
"""The talking part of scripts/demo: `demo.py BUILD EXAMPLES`."""
import json
import pathlib
import sys
import tempfile
import uuid

import yaml

from harness import operators, reviews, server

WORKLOADS = ("pytorchjob.yaml", "leaderworkerset.yaml")


def post(webhook, document, user, field_manager):
    review = reviews.review_of(document, user, field_manager)
    status, answer = webhook.post(reviews.hook_of(document["kind"]), review)
    if status != 200:
        raise server.Failed(f"the webhook answered {status}: {answer}")
    return answer["response"]


def short(levels_label):
    return levels_label.rsplit("/", 1)[-1].removeprefix("topology-")


def table(rows, heads):
    widths = [max(len(str(row[i])) for row in [heads, *rows]) for i in range(len(heads))]
    for row in [heads, *rows]:
        print("  " + "  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip())


def row_of(pod):
    annotations = pod["metadata"].get("annotations", {})
    domain = json.loads(annotations.get("toposeg.io/domain", "[]"))
    segment = annotations.get("toposeg.io/segment", "-")
    gates = [gate["name"] for gate in pod["spec"].get("schedulingGates", [])]
    level = "waits: " + annotations.get("toposeg.io/reason", "") if gates else short(annotations.get("toposeg.io/level", "-"))
    return pod["metadata"]["name"], segment, " > ".join(domain) or "-", level


def show_affinity(pod):
    print(f"\nThe nodeAffinity of {pod['metadata']['name']}:\n")
    affinity = {"nodeAffinity": pod["spec"].get("affinity", {}).get("nodeAffinity", {})}
    for line in yaml.safe_dump(affinity, sort_keys=False, default_flow_style=False).splitlines():
        print("  " + line)


def submit(webhook, file):
    """Sends one workload and its pods; returns the pods as they would be stored."""
    workload = yaml.safe_load(file.read_text(encoding="utf-8"))
    workload["metadata"].setdefault("namespace", "default")
    print(f"\n{workload['kind']} {workload['metadata']['name']} ({file.name})")
    response = post(webhook, workload, reviews.KUBECTL_USER, "kubectl-create")
    for warning in response.get("warnings", []):
        print(f"  Warning: {warning}")
    if not response["allowed"]:
        raise server.Failed(f"{file.name} was refused: {response['status']['message']}")
    stored = reviews.apply(workload, reviews.patch_of(response))
    pods = []
    for pod, user in operators.pods_of(stored, str(uuid.uuid4())):
        answer = post(webhook, pod, user, "")
        pods.append(reviews.apply(pod, reviews.patch_of(answer)))
    print()
    table([row_of(pod) for pod in pods], ("pod", "segment", "domain", "level"))
    return pods


def show_topology(webhook, heading):
    """The tree without its single hosts: a sign for each host, # free and . in use."""
    _, text = webhook.page("/debug/topology")
    for view in json.loads(text)["topologies"]:
        print(f"\nTopology {view['topology']}, {heading}: whole hosts that are free (#)\n")
        for domain in view["domains"]:
            depth = view["levels"].index(domain["level"])
            if domain["level"] == "kubernetes.io/hostname":
                continue
            bar = "#" * domain["free"] + "." * (domain["nodes"] - domain["free"])
            name = "  " * depth + domain["path"][-1]
            print(f"  {name:<28} {domain['free']:>3} of {domain['nodes']:<3} {bar}")


def run(build, examples):
    with tempfile.TemporaryDirectory() as folder:
        with server.Webhook(server.program_in(build), examples / "cluster.yaml", folder) as webhook:
            print(f"toposeg-webhook serves {examples / 'cluster.yaml'} on https://localhost:{webhook.port}")
            show_topology(webhook, "before")
            pods = [pod for name in WORKLOADS for pod in submit(webhook, examples / name)]
            placed = [pod for pod in pods if "toposeg.io/segment" in pod["metadata"].get("annotations", {})]
            if not placed:
                raise server.Failed("no pod was given a segment")
            show_affinity(placed[0])
            show_topology(webhook, "with both in place")
    print("\nThe webhook has ended. Next: README.md, or build/release/toposeg plan --help")


def main():
    try:
        run(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    except (server.Failed, OSError, yaml.YAMLError, KeyError) as fault:
        sys.exit(f"demo: {fault}")


if __name__ == "__main__":
    main()
