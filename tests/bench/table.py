#!/usr/bin/env python3
"""One table of the results of all benches: `table.py BENCH_JSON HTTPS_JSON`."""
import json
import sys


def microseconds(run):
    return run["real_time"] * {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[run["time_unit"]]


def bench_rows(file):
    with open(file, encoding="utf-8") as text:
        for run in json.load(text)["benchmarks"]:
            if "error_message" in run:
                yield run["name"], "failed: " + run["error_message"]
            elif run.get("run_type") != "aggregate":
                tail = f", p99 {run['p99_us']:.1f} us" if "p99_us" in run else ""
                yield run["name"], f"{microseconds(run):.2f} us{tail}"


def https_rows(file):
    with open(file, encoding="utf-8") as text:
        result = json.load(text)
    load, idle, cluster = result["load"], result["idle"], result["file"]
    yield ("HTTPS, 64 connections, pod reviews",
           f"{load['per_second']} requests/s, p99 {load['p99_ms']} ms, {load['failures']} failures of {load['requests']}")
    yield (f"{idle['connections']} idle connections", f"{idle['kib_each']} KiB each, {idle['cpu_percent']} % of a core")
    yield (f"cluster file, {cluster['nodes']} nodes and {cluster['pods']} pods",
           f"ready in {cluster['seconds']} s, resident {cluster['resident_mib']} MiB")


def main():
    rows = [*bench_rows(sys.argv[1]), *https_rows(sys.argv[2])]
    width = max(len(name) for name, _ in rows)
    for name, result in rows:
        print(f"{name:<{width}}  {result}")


if __name__ == "__main__":
    main()
