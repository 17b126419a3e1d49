#!/usr/bin/env python3
"""Checks that includes follow the arrows of the house: a file knows its own room and the rooms below it.

The rooms and their arrows are those of CMakeLists.txt (`toposeg_room(FOLDER DEPENDS …)`), with what they depend on in
turn. Programs (main.cc) may use what `toposeg_program` names. Tests may include any room.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOM = re.compile(r"toposeg_room\(\s*(\S+)\s*([^)]*)\)")
PROGRAM = re.compile(r"toposeg_program\(\s*\S+\s+(\S+)\s+([^)]*)\)")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
HOUSE = ("common/", "engine/", "webhook/", "certs/")


def folders(words):
    return {word for word in words.split() if (ROOT / word).is_dir()}


def read_arrows():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    direct = {}
    for room, rest in ROOM.findall(text):
        direct[room] = folders(rest.split("EXCLUDE")[0])
    programs = {main: folders(rest) for main, rest in PROGRAM.findall(text)}
    return direct, programs


def closure(room, direct):
    seen, todo = set(), [room]
    while todo:
        current = todo.pop()
        if current not in seen:
            seen.add(current)
            todo.extend(direct.get(current, ()))
    return seen


def room_of(path, rooms):
    """The deepest room that holds a path, or None."""
    fitting = [room for room in rooms if path.startswith(room + "/")]
    return max(fitting, key=len, default=None)


def allowed_rooms(path, direct, programs):
    rooms = set()
    if path in programs:
        for room in programs[path]:
            rooms |= closure(room, direct)
        return rooms
    room = room_of(path, direct)
    return closure(room, direct) if room else rooms


def faults_of(path, direct, programs):
    allowed = allowed_rooms(path, direct, programs)
    for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        target = match[1]
        if not (ROOT / target).is_file():
            yield f"{path}:{number}: \"{target}\" is no file of the tree; write the path from its root"
        elif room_of(target, direct) not in allowed:
            yield f"{path}:{number}: {room_of(path, direct) or path} may not know \"{target}\""


def main():
    direct, programs = read_arrows()
    files = sorted(str(file.relative_to(ROOT)) for folder in HOUSE for pattern in ("*.h", "*.cc")
                   for file in (ROOT / folder).rglob(pattern))
    if not files or not direct:
        sys.exit("check_includes: found no files or no rooms")
    faults = [fault for file in files for fault in faults_of(file, direct, programs)]
    print(*faults, sep="\n")
    print(f"{len(files)} files checked, {len(faults)} includes against the arrows")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
