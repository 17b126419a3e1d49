#!/usr/bin/env python3
"""The webhook as a process: HTTPS load, idle connections, a large cluster file. Prints one JSON object.

    https_bench.py --build BUILD [--seconds N]
"""
import argparse
import json
import os
import pathlib
import ssl
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from harness import cluster, operators, reviews, server  # noqa: E402

IDLE = 300
IDLE_SECONDS = 10


def resident_kib(pid, field="VmRSS"):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(field):
            return int(line.split()[1])
    raise server.Failed(f"/proc/{pid}/status has no {field}")


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def job():
    container = {"name": "pytorch", "image": "example.com/train:1", "resources": {"limits": {"nvidia.com/gpu": 8}},
                 "env": [{"name": f"VARIABLE_{index}", "value": "some value"} for index in range(80)]}
    annotations = {"kai.scheduler/topology": "cluster-topology", "kai.scheduler/segment-size": "8",
                   "kai.scheduler/segment-topology-required-placement": "cloud.provider.com/topology-rack"}
    return {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": "load", "namespace": "ml-team"},
            "spec": {"pytorchReplicaSpecs": {"Worker": {"replicas": 1000, "template": {
                "metadata": {"annotations": annotations}, "spec": {"containers": [container]}}}}}}


def write_reviews(webhook, file):
    document = job()
    status, answer = webhook.post("/v1/workloads", reviews.review_of(document))
    if status != 200 or not answer["response"]["allowed"]:
        raise server.Failed(f"the job was not taken: {answer}")
    stored = reviews.apply(document, reviews.patch_of(answer["response"]))
    with open(file, "w", encoding="utf-8") as output:
        for pod, user in operators.pods_of(stored, "b25c1c50-6d9f-45d9-b93d-7a1e8cd3d29e"):
            output.write(json.dumps(reviews.review_of(pod, user=user, field_manager="")) + "\n")


def measure_load(webhook, build, folder, seconds):
    file = folder / "reviews.jsonl"
    write_reviews(webhook, file)
    command = [str(build / "tests" / "bench" / "https_load"), "--port", str(webhook.port), "--ca", str(webhook.ca_file),
               "--path", "/v1/pods", "--reviews", str(file), "--connections", "64", "--seconds", str(seconds)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def measure_idle(webhook):
    context = ssl.create_default_context(cafile=str(webhook.ca_file))
    before = resident_kib(webhook.pid)
    connections = []
    for _ in range(IDLE):
        plain = socket.create_connection(("127.0.0.1", webhook.port))
        connections.append(context.wrap_socket(plain, server_hostname="localhost"))
    grown = resident_kib(webhook.pid) - before
    begin, spent = time.monotonic(), cpu_seconds(webhook.pid)
    time.sleep(IDLE_SECONDS)
    used = (cpu_seconds(webhook.pid) - spent) / (time.monotonic() - begin)
    for connection in connections:
        connection.close()
    return {"connections": IDLE, "kib_each": round(grown / IDLE, 1), "cpu_percent": round(100 * used, 2)}


def measure_file(program, folder):
    file = folder / "large.json"
    with open(file, "w", encoding="utf-8") as output:
        json.dump(cluster.cluster(1, 10, 25, 20, pods_per_node=10), output)
    begin = time.monotonic()
    with server.Webhook(program, file, folder) as webhook:
        took = time.monotonic() - begin
        return {"nodes": 5000, "pods": 50000, "seconds": round(took, 2),
                "resident_mib": round(resident_kib(webhook.pid) / 1024, 1)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=int, default=20)
    arguments = parser.parse_args()
    program = server.program_in(arguments.build)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        snapshot = folder / "cluster.json"
        snapshot.write_text(json.dumps(cluster.cluster(4, 9, 8, 18)), encoding="utf-8")
        with server.Webhook(program, snapshot, folder, "--log-level", "warn") as webhook:
            idle = measure_idle(webhook)
            load = measure_load(webhook, arguments.build, folder, arguments.seconds)
        print(json.dumps({"load": load, "idle": idle, "file": measure_file(program, folder)}))


if __name__ == "__main__":
    try:
        main()
    except (server.Failed, OSError, subprocess.CalledProcessError) as fault:
        sys.exit(f"https_bench: {fault}")
