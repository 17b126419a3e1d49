#!/usr/bin/env python3
"""docs/metrics.md names exactly the metrics that the program has."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    sources = (file.read_text(encoding="utf-8") for file in sorted((ROOT / "webhook").rglob("*.cc")))
    made = {name for text in sources for name in re.findall(r'"(toposeg_[a-z_]+)"', text)}
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `(toposeg_[a-z_]+)` \|", page, re.MULTILINE))
    for name in sorted(made - told):
        print(f"FAILED docs/metrics.md does not tell of {name}")
    for name in sorted(told - made):
        print(f"FAILED docs/metrics.md tells of {name}, which no source makes")
    failed = len(made ^ told) + (0 if made else 1)
    print(f"{len(made & told)} passed, {failed} failed")
    sys.exit(0 if failed == 0 else 1)


if __name__ == "__main__":
    main()
