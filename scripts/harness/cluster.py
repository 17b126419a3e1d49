#!/usr/bin/env python3
"""Writes a cluster as `kubectl get -o json` prints it: `make_cluster.py ZONES BLOCKS RACKS HOSTS [PODS_PER_NODE]`."""
import json
import sys


def node(index, zone, block, rack):
    name = f"n{index:02d}"
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": {
        "kubernetes.io/hostname": name, "topology.kubernetes.io/zone": zone,
        "cloud.provider.com/topology-block": block, "cloud.provider.com/topology-rack": rack}},
        "status": {"allocatable": {"cpu": "128", "memory": "1024Gi", "pods": "110", "nvidia.com/gpu": "8"},
                   "conditions": [{"type": "Ready", "status": "True"}]}}


def pod(index, on):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"p{index}", "namespace": "busy", "uid": f"u{index}"},
            "spec": {"nodeName": on, "containers": [{"name": "main", "image": "example.com/busy:1", "resources": {
                "requests": {"cpu": "100m", "memory": "64Mi"}}}]},
            "status": {"phase": "Running"}}


def topology():
    labels = ("topology.kubernetes.io/zone", "cloud.provider.com/topology-block", "cloud.provider.com/topology-rack",
              "kubernetes.io/hostname")
    return {"apiVersion": "kai.scheduler/v1alpha1", "kind": "Topology", "metadata": {"name": "cluster-topology"},
            "spec": {"levels": [{"nodeLabel": label} for label in labels]}}


def cluster(zones, blocks, racks, hosts, pods_per_node=0):
    nodes = []
    for index in range(zones * blocks * racks * hosts):
        rack = index // hosts
        block = rack // racks
        nodes.append(node(index, f"zone-{block // blocks:02d}", f"block-{block:03d}", f"rack-{rack:04d}"))
    pods = [pod(index, nodes[index % len(nodes)]["metadata"]["name"]) for index in range(len(nodes) * pods_per_node)]
    return {"apiVersion": "v1", "kind": "List", "items": [topology(), *nodes, *pods]}


if __name__ == "__main__":
    json.dump(cluster(*(int(argument) for argument in sys.argv[1:])), sys.stdout)
