#!/usr/bin/env python3
"""Prints the line coverage of common/ and engine/, a line a room, from the profiles of an instrumented build.

    coverage.py BUILD      the whole table, a line a file, goes to BUILD/coverage.txt
"""
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def output_of(*command):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def programs_of(build):
    candidates = sorted(file for file in build.rglob("*") if file.is_file() and file.suffix == "" and
                        file.stat().st_mode & 0o111 and "CMakeFiles" not in file.parts)
    return [file for file in candidates if file.open("rb").read(4) == b"\x7fELF"]


def room_of(name):
    return "/".join(pathlib.PurePath(name).parts[:2])


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    profiles = sorted(str(file) for file in (build / "profiles").glob("*.profraw"))
    programs = programs_of(build)
    if not profiles or not programs:
        sys.exit(f"coverage: no profiles in {build}/profiles: run the tests of that build first")
    listing = build / "profiles.txt"
    listing.write_text("\n".join(profiles), encoding="utf-8")
    merged = build / "coverage.profdata"
    output_of("llvm-profdata-19", "merge", "-sparse", f"--input-files={listing}", "-o", str(merged))
    what = [f"-instr-profile={merged}", str(programs[0]), *(f"-object={program}" for program in programs[1:])]
    sources = [str(ROOT / "common"), str(ROOT / "engine")]
    (build / "coverage.txt").write_text(output_of("llvm-cov-19", "report", *what, *sources), encoding="utf-8")
    exported = json.loads(output_of("llvm-cov-19", "export", "-summary-only", *what, *sources))
    covered, total = collections.Counter(), collections.Counter()
    for file in exported["data"][0]["files"]:
        room = room_of(pathlib.Path(file["filename"]).relative_to(ROOT))
        for name in (room, "together"):
            covered[name] += file["summary"]["lines"]["covered"]
            total[name] += file["summary"]["lines"]["count"]
    for name in [*sorted(set(total) - {"together"}), "together"]:
        print(f"    {name:<20} {covered[name]:>6} of {total[name]:>6} lines  {100 * covered[name] / max(1, total[name]):5.1f} %")
    print(f"    each file: {(build / 'coverage.txt').relative_to(ROOT)}")


if __name__ == "__main__":
    main()
