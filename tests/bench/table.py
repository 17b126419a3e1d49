#!/usr/bin/env python3
"""One table of the results of all benches: `table.py BENCH_JSON [HTTPS_JSON]`."""
import json
import math
import sys

PROBLEMS = {
    "P1": "100 segments of 10, 1,000 nodes",
    "P2": "32 segments of 16, 5,184 nodes",
    "P3": "288 segments of 16, filling it",
    "P4": "128 one-host segments in a block",
    "P5": "64 segments of 16, 20,736 nodes",
    "P6": "32 of 16: no rack has room",
    "P7": "16 of 16: three fit",
    "P7b": "32 of 8, 40 % of hosts busy",
    "P7c": "16 of 16, 15 % of hosts busy",
    "P8": "32 of 4, 129,024 nodes",
}
# Medians in ms of Kueue (FindTopologyAssignmentsForFlavor, snapshot ready, repeated) and KAI (allocation of one
# job with its default plugins, which score every pod) on the same inputs, taken in process on 2 cores of the
# same kind of machine while it was busy.
PEERS = {
    "P1": (3.06, 431), "P2": (5.26, 726), "P3": (15.3, 9787), "P4": (5.06, None), "P5": (33.5, 13072),
    "P6": (3.75, 21.4), "P7": (3.50, 102), "P7b": (3.23, 922), "P7c": (3.74, 399), "P8": (None, None),
}
GROWING = {
    "plan_growing": "16 segments of 8",
    "new_shape": "pods of a new shape",
    "first_shape": "the very first shape",
    "node_change_8_shapes": "one node's capacity, 8 shapes",
    "node_comes_or_goes": "one node comes or goes",
    "new_tree": "a new tree",
}


def microseconds(run):
    """Of the processor, except where the bench holds the watch itself: then other work may disturb it."""
    time = run["real_time" if "/manual_time" in run["run_name"] else "cpu_time"]
    return time * {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[run["time_unit"]]


def read_runs(file):
    with open(file, encoding="utf-8") as text:
        for run in json.load(text)["benchmarks"]:
            if run.get("run_type") == "aggregate" and run.get("aggregate_name") != "median":
                continue
            # Without what a manual clock and a fixed count add to a name.
            name = run["run_name"].replace("/manual_time", "").partition("/iterations")[0]
            yield name, run


def duration(us):
    if us is None:
        return "-"
    for limit, scale, unit in ((1000, 1, "us"), (1e6, 1e-3, "ms"), (math.inf, 1e-6, "s")):
        if us < limit:
            figure = us * scale
            return f"{figure:.{2 if figure < 10 else 1 if figure < 100 else 0}f} {unit}"
    return ""


def exponent(points):
    """Of the power of the nodes that fits best: the slope of the logarithms."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs))
    return (sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs))


def decisions(runs):
    print(f"{'decision':<37}{'again':>9}{'fresh':>9}{'allocations':>13}{'state':>12}")
    for name, what in PROBLEMS.items():
        again = runs.get(f"plan/{name}")
        if again is None:
            continue
        if "error_message" in again:
            print(f"{name:<4} failed: {again['error_message']}")
            continue
        fresh = runs.get(f"fresh/{name}")
        print(f"{name:<4} {what:<32}{duration(microseconds(again)):>9}{duration(fresh and microseconds(fresh)):>9}"
              f"{again['allocations']:>13.0f}{again['state_bytes'] / 1024:>8.0f} KiB")


def times(peer_ms, us):
    return "-" if peer_ms is None else f"{peer_ms * 1000 / us:,.0f} x"


def peers(runs):
    print(f"\n{'beside peers':<37}{'again':>8}{'Kueue':>9}{'':>9}{'KAI':>8}")
    for name, what in PROBLEMS.items():
        again = runs.get(f"plan/{name}")
        if again is None or "error_message" in again or PEERS[name] == (None, None):
            continue
        us = microseconds(again)
        kueue, kai = PEERS[name]
        print(f"{name:<4} {what:<32}{duration(us):>8}{duration(kueue and kueue * 1000):>9}{times(kueue, us):>9}"
              f"{duration(kai and kai * 1000):>8}{times(kai, us):>10}")


def growth(runs):
    sizes = sorted({int(name.partition("/")[2]) for name in runs if name.partition("/")[0] in GROWING})
    if not sizes:
        return
    print(f"\n{'growth with the nodes':<31}" + "".join(f"{size:>10,}" for size in sizes) + f"{'exponent':>9}")
    for bench, what in GROWING.items():
        points = [(size, microseconds(runs[f"{bench}/{size}"])) for size in sizes if f"{bench}/{size}" in runs]
        if len(points) > 1:
            print(f"{what:<31}" + "".join(f"{duration(us):>10}" for _, us in points) + f"{exponent(points):>9.2f}")


def others(runs):
    print()
    for name, run in runs.items():
        if name.partition("/")[0] in GROWING or name.startswith(("plan/", "fresh/")):
            continue
        if "error_message" in run:
            print(f"{name:<45}failed: {run['error_message']}")
        else:
            tail = f", p99 {duration(run['p99_us'])}" if "p99_us" in run else ""
            print(f"{name:<45}{duration(microseconds(run))}{tail}")


def https(file):
    with open(file, encoding="utf-8") as text:
        result = json.load(text)
    load, idle, cluster = result["load"], result["idle"], result["file"]
    print(f"{'HTTPS, 64 connections, pod reviews':<45}{load['per_second']} requests/s, p99 {load['p99_ms']} ms, "
          f"{load['failures']} failures of {load['requests']}")
    print(f"{idle['connections']} idle connections{'':<25}{idle['kib_each']} KiB each, {idle['cpu_percent']} % of a core")
    print(f"cluster file, {cluster['nodes']} nodes and {cluster['pods']} pods"
          f"    ready in {cluster['seconds']} s, resident {cluster['resident_mib']} MiB")


def main():
    runs = dict(read_runs(sys.argv[1]))
    decisions(runs)
    peers(runs)
    growth(runs)
    others(runs)
    if len(sys.argv) > 2:
        https(sys.argv[2])


if __name__ == "__main__":
    main()
