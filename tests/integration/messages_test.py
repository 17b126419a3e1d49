#!/usr/bin/env python3
"""Holds docs/troubleshooting.md against the sources: `messages_test.py`. Ends with `N passed, N failed`.

- Every message that the page quotes stands in a string of the sources, `…` for what is filled in.
- Every sentence that the files of SPOKEN can say is quoted on the page.
"""
import pathlib
import re
import sys

from messages.literals import comparable, literals

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "troubleshooting.md"
HEADING = re.compile(r"^\| message \|")
QUOTED = re.compile(r"^\| (`+)(.+?)\1 \|")
ROOMS = ("common", "engine", "certs", "webhook")
# Files whose sentences people read as warnings, refusals or reasons.
SPOKEN = ("common/workload/**/*.cc", "common/kube/read_topology.cc", "engine/placement/engine.cc",
          "engine/placement/group_reasons.cc", "engine/placement/plan.cc", "engine/placement/pod_placer.cc",
          "engine/placement/reasons.cc", "engine/placement/scope.cc", "webhook/admission/pods_hook.cc",
          "webhook/admission/reviewer.cc", "webhook/admission/take_patch.cc", "webhook/admission/workload_hook.cc",
          "engine/cli/chosen_workload.cc", "engine/cli/common_domain.cc", "engine/cli/manifest_source.cc",
          "engine/cli/named_workload.cc", "engine/cli/pod_status.cc", "engine/cli/text_input.cc",
          "engine/cli/workload_status.cc")
SENTENCE_WORDS = 3
# Parts of sentences, said within another one that is quoted.
PARTS = {"the … pod… of a replica group", "the … pods of a replica group", "the Worker template",
         "the … worker replica", "(did you mean …?)", "beside the leader", "object without kind"}


def quoted(page):
    """(line, message) of the first column of every table of messages."""
    within = False
    for number, line in enumerate(page.splitlines(), 1):
        within = bool(HEADING.match(line)) or (within and line.startswith("|"))
        found = QUOTED.match(line)
        if within and found:
            yield number, comparable(found.group(2))


def sentences(text):
    return len([word for word in text.split() if re.search("[a-z]", word)]) >= SENTENCE_WORDS


def matches(message, text):
    return re.search(r"(?<!\w)" + re.escape(message) + r"(?!\w)", text) is not None


def main():
    everything = [text for room in ROOMS for file in sorted((ROOT / room).rglob("*.cc"))
                  for _, text in literals(file.read_text(encoding="utf-8"))]
    page = list(quoted(PAGE.read_text(encoding="utf-8")))
    faults = [f"docs/troubleshooting.md:{line}: no source says \"{message}\"" for line, message in page
              if not any(matches(message, text) for text in everything)]
    messages = [message for _, message in page]
    spoken = [(file, line, text) for pattern in SPOKEN for file in sorted(ROOT.glob(pattern))
              for line, text in literals(file.read_text(encoding="utf-8")) if sentences(text) and text not in PARTS]
    faults += [f"{file.relative_to(ROOT)}:{line}: docs/troubleshooting.md does not explain \"{text}\""
               for file, line, text in spoken
               if not any(matches(text, message) for message in messages)]
    if not page or not spoken:
        faults.append("nothing was compared: the page or the sources are read wrongly")
    print(*(f"FAILED {fault}" for fault in faults), sep="\n", end="\n" if faults else "")
    print(f"{len(page) + len(spoken) - len(faults)} passed, {len(faults)} failed")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
