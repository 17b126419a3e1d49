"""The texts that C++ sources hold, in a form that can be compared with what a person reads.

What is filled in at run time (`{}` of a format, or what `+` joins) is `…` in both. `"a {} " "b"` is `a … b`.
"""
import re

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|#include[^\n]*|\'(?:\\.|[^\'\\])\'|R"\((?P<raw>.*?)\)"|"(?P<text>(?:\\.|[^"\\\n])*)"',
    re.DOTALL)
PLACEHOLDER = re.compile(r"\{[^{}]*\}")
ESCAPES = {r"\"": '"', r"\\": "\\", r"\n": " ", r"\t": " "}


def comparable(text):
    """One form for a format text and for what the documentation quotes of it."""
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"…(?:\s?…)+", "…", text)
    return text.strip(" …:;,")


def unescape(text):
    return re.sub(r"\\.", lambda found: ESCAPES.get(found.group(0), found.group(0)[1:]), text)


def literals(source):
    """(line, text) of every string, neighbours joined as the compiler does it."""
    joined, last_end = [], None
    for token in TOKEN.finditer(source):
        raw, text = token.group("raw"), token.group("text")
        if raw is None and text is None:
            continue
        value = raw if raw is not None else unescape(text)
        between = source[last_end:token.start()] if last_end is not None else "x"
        if joined and not between.strip():
            joined[-1][1] += value
        else:
            joined.append([source.count("\n", 0, token.start()) + 1, value])
        last_end = token.end()
    return [(line, comparable(PLACEHOLDER.sub("…", value))) for line, value in joined]
