#!/usr/bin/env python3
"""Runs clang-tidy over every source of a build, as errors, and remembers which ones were clean.

    check_tidy.py BUILD [SUBSTRING…]     SUBSTRING: only files whose path contains one of them

A file is checked again only when it, a header of the tree that it includes (in turn), its flags, the configuration or
clang-tidy itself has changed; the memory is BUILD/tidy/clean/. One process a core.
"""
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIDY = "clang-tidy-19"
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
# A source is read as it stands, so that a missing include shows; it is faster, too.
PRECOMPILED = re.compile(r" -Xclang -include(?:-pch)? -Xclang \S*cmake_pch\S*")


@functools.lru_cache(maxsize=None)
def text_of(path):
    return path.read_text(encoding="utf-8")


@functools.lru_cache(maxsize=None)
def includes_of(path):
    found = []
    for name in INCLUDE.findall(text_of(path)):
        for base in (ROOT, ROOT / "tests", path.parent):
            if (base / name).is_file():
                found.append((base / name).resolve())
                break
    return found


def sources_of(path):
    seen, todo = set(), [path]
    while todo:
        current = todo.pop()
        if current not in seen:
            seen.add(current)
            todo.extend(includes_of(current))
    return sorted(seen)


def configurations_of(path):
    return [folder / ".clang-tidy" for folder in path.parents
            if folder.is_relative_to(ROOT) and (folder / ".clang-tidy").is_file()]


def fingerprint(path, command, version):
    digest = hashlib.sha256(version.encode() + command.encode())
    for file in [*configurations_of(path), *sources_of(path)]:
        digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + text_of(file).encode() + b"\0")
    return digest.hexdigest()


def read_commands(build):
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    commands = {}
    for entry in entries:
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / "build"):
            commands[path] = PRECOMPILED.sub("", entry["command"])
    return dict(sorted(commands.items()))


def write_commands(folder, commands):
    entries = [{"directory": str(folder.parent), "file": str(path), "command": command}
               for path, command in commands.items()]
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")


def tidy(folder, path):
    done = subprocess.run([TIDY, "--quiet", "--warnings-as-errors=*", "-p", str(folder), str(path)], cwd=ROOT,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    folder = build / "tidy"
    commands = read_commands(build)
    write_commands(folder, commands)
    memory = folder / "clean"
    memory.mkdir(exist_ok=True)
    version = subprocess.run([TIDY, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
    marks = {}
    for path, command in commands.items():
        if len(sys.argv) == 2 or any(part in str(path) for part in sys.argv[2:]):
            marks[path] = memory / fingerprint(path, command, version)
    todo = [path for path, mark in marks.items() if not mark.exists()]
    print(f"{len(marks)} sources, {len(todo)} to check", flush=True)
    faulty = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {pool.submit(tidy, folder, path): path for path in todo}
        for number, run in enumerate(concurrent.futures.as_completed(runs), 1):
            path = runs[run]
            status, output = run.result()
            if status == 0:
                marks[path].touch()
            else:
                faulty.append(path)
                print(output)
            print(f"[{number}/{len(todo)}] {path.relative_to(ROOT)}{'' if status == 0 else ': FAILED'}", flush=True)
    for mark in set(memory.iterdir()) - set(marks.values()) if len(sys.argv) == 2 else ():
        mark.unlink()
    print(f"{len(faulty)} of {len(marks)} sources have findings")
    sys.exit(1 if faulty else 0)


if __name__ == "__main__":
    main()
