#!/usr/bin/env python3
"""Keeps the documentation true: `documentation_test.py BUILD`. Ends with `N passed, N failed`.

- Every link to a file of the tree leads somewhere.
- A block ```console run holds commands (`$ toposeg …`, run at the root of the tree) and exactly what they print.
- Every workload of examples/ can be planned on examples/cluster.yaml.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
RUN = re.compile(r"^```console run\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PLANNED = re.compile(r"^kind: (PyTorchJob|LeaderWorkerSet|DistributedWorkload)$", re.MULTILINE)


def pages():
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "tests" / "cases" / "README.md"]


def broken_links(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target and not target.startswith("mailto:") and not (page.parent / target).exists():
            yield f"{page.relative_to(ROOT)}: the link to {target} leads nowhere"


def run(build, command):
    words = shlex.split(command)
    environment = {**os.environ, "PATH": f"{build}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    return subprocess.run(words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, timeout=120)


def steps_of(block):
    """Pairs of a command and what must follow it."""
    steps = []
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        elif steps:
            steps[-1][1].append(line)
    return steps


def wrong_blocks(page, build):
    for block in RUN.findall(page.read_text(encoding="utf-8")):
        for command, expected in steps_of(block):
            came = [line.rstrip() for line in run(build, command).stdout.splitlines()]
            if came != [line.rstrip() for line in expected]:
                shown = "\n".join(came)
                yield f"{page.relative_to(ROOT)}: `{command}` now prints:\n{shown}"


def wrong_examples(build):
    for file in sorted((ROOT / "examples").glob("*.yaml")):
        if PLANNED.search(file.read_text(encoding="utf-8")):
            done = run(build, f"toposeg plan -f examples/{file.name} --cluster examples/cluster.yaml")
            yield None if done.returncode == 0 else f"examples/{file.name}: status {done.returncode}: {done.stdout[:500]}"


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    passed = failed = 0
    for page in pages():
        faults = [*broken_links(page), *wrong_blocks(page, build)]
        print(*(f"FAILED {fault}" for fault in faults), sep="\n", end="\n" if faults else "")
        passed, failed = passed + (not faults), failed + bool(faults)
    for fault in wrong_examples(build):
        print(f"FAILED {fault}" if fault else "", end="\n" if fault else "")
        passed, failed = passed + (not fault), failed + bool(fault)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
