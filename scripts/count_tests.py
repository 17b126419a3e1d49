#!/usr/bin/env python3
"""Counts the tests that a log of `ctest --verbose` (or of one test program) tells of: prints `PASSED FAILED`.

Every program ends with its own summary: Catch2's, or a line `N passed, N failed`; go test tells of each test. A program that ended badly without
telling of a failed test (a crash, a sanitizer, a time limit) counts as one failure.
"""
import re
import sys

ALL_PASSED = re.compile(r"^(?:(\d+): )?All tests passed \(.* in (\d+) test cases?\)")
SOME_FAILED = re.compile(r"^(?:(\d+): )?test cases:\s*(\d+) \|(.*)$")
PLAIN = re.compile(r"^(?:(\d+): )?(?:[\w ]+: )?(\d+) passed, (\d+) failed(?:, .*)?$")
GO_TEST = re.compile(r"^--- (PASS|FAIL): ")
ENDED_BADLY = re.compile(r"^\s*\d+/\d+ Test\s+#(\d+): .*\*\*\*(?!Skipped)")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def counts(lines):
    passed, failed, broken = {}, {}, set()
    for line in lines:
        line = COLOUR.sub("", line.rstrip("\n"))
        if match := ALL_PASSED.match(line):
            passed[match[1]] = passed.get(match[1], 0) + int(match[2])
        elif match := SOME_FAILED.match(line):
            bad = sum(int(number) for number in re.findall(r"(\d+) failed", match[3]))
            passed[match[1]] = passed.get(match[1], 0) + int(match[2]) - bad
            failed[match[1]] = failed.get(match[1], 0) + bad
        elif match := PLAIN.match(line):
            passed[match[1]] = passed.get(match[1], 0) + int(match[2])
            failed[match[1]] = failed.get(match[1], 0) + int(match[3])
        elif match := GO_TEST.match(line):
            counted = passed if match[1] == "PASS" else failed
            counted["go"] = counted.get("go", 0) + 1
        elif match := ENDED_BADLY.match(line):
            broken.add(match[1])
    unexplained = sum(1 for test in broken if failed.get(test, 0) == 0)
    return sum(passed.values()), sum(failed.values()) + unexplained


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
        print(*counts(log))


if __name__ == "__main__":
    main()
