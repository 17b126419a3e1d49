#!/usr/bin/env python3
"""Placement policies compared over many seeds: `policies.py BUILD [SEEDS]` prints the table of docs/simulate.md.

For each kind of cluster `toposeg simulate` plays 1,500 drawn jobs with each seed; the numbers are means over the seeds.
FIRST counts the seeds in which the policy had the shortest mean wait.
"""
import json
import pathlib
import statistics
import subprocess
import sys

CLUSTERS = ("nvl72:40x18", "volcano:40x10", "eks:40x16", "lingjun")
JOBS = 1500
ROW = "{:<14} {:<15} {:>9} {:>6} {:>8} {:>9} {:>6}"


def policies_of(program, cluster, seed):
    command = [program, "simulate", "--generate", cluster, "--jobs", str(JOBS), "--seed", str(seed), "-o", "json"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)["policies"]


def numbers_of(policy, first):
    return (policy["meanWait"] / 60, policy["meanClimbed"], policy["segmentsAtLevel"] / policy["segmentsWithLevel"],
            policy["slotsLost"], policy["policy"] == first)


def compare(program, cluster, seeds):
    """Policy -> the means of its numbers, and how often it was first."""
    numbers = {}
    for seed in range(1, seeds + 1):
        policies = policies_of(program, cluster, seed)
        first = min(policies, key=lambda policy: policy["meanWait"])["policy"]
        for policy in policies:
            numbers.setdefault(policy["policy"], []).append(numbers_of(policy, first))
    for policy, rows in numbers.items():
        *means, _ = (statistics.mean(column) for column in zip(*rows))
        yield policy, means, sum(row[-1] for row in rows)


def main():
    program = pathlib.Path(sys.argv[1]) / "toposeg"
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    print(ROW.format("CLUSTER", "POLICY", "WAIT-MIN", "FIRST", "CLIMBED", "AT-LEVEL", "LOST"))
    for cluster in CLUSTERS:
        for policy, (wait, climbed, at_level, lost), first in compare(program, cluster, seeds):
            print(ROW.format(cluster, policy, f"{wait:.1f}", first, f"{climbed:.3f}", f"{at_level:.1%}", f"{lost:.1%}"),
                  flush=True)


if __name__ == "__main__":
    main()
