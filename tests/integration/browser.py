"""A headless Chromium for the tests: what a page comes to, what it says on its console, what it asks the network for.

The browser can reach nothing: every name it looks up is not found. What it asks for by itself is told apart from what a
page asks for by the requests' initiator.
"""
import json
import pathlib
import re
import shutil
import struct
import subprocess
import zlib

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-sync",
         "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr")
CONSOLE = re.compile(r":(?:INFO|WARNING|ERROR):CONSOLE[:(]\d+\)?\] (.*)")
NOBODY = (None, "not an origin")


def find():
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """Uses `folder` for its profile and its logs."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)

    def _run(self, *arguments):
        self.log = self.folder / "net.json"
        command = [self.program, *FLAGS, f"--user-data-dir={self.folder / 'profile'}", f"--log-net-log={self.log}",
                   *arguments]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True, timeout=240)
        self.console = CONSOLE.findall(done.stderr)
        return done.stdout

    def dom(self, file, dark=False):
        """The document after its scripts have run."""
        return self._run(*self._scheme(dark), "--window-size=1600,1000", "--dump-dom", file.as_uri())

    def pixels(self, file, width, height, dark=False):
        """How often each colour is seen, by (red, green, blue)."""
        picture = self.folder / "screen.png"
        self._run(*self._scheme(dark), f"--window-size={width},{height}", f"--screenshot={picture}", file.as_uri())
        return count_colours(picture.read_bytes())

    @staticmethod
    def _scheme(dark):
        return [f"--blink-settings=preferredColorScheme={0 if dark else 1}"]

    def requests(self):
        """Addresses that the last page asked for, but files."""
        events = json.loads(self.log.read_text(encoding="utf-8"))["events"]
        asked = [event.get("params") or {} for event in events]
        return sorted({params["url"] for params in asked
                       if "url" in params and params.get("initiator") not in NOBODY
                       and not params["url"].startswith(("file:", "data:"))})


def count_colours(png):
    """Of a PNG with 8 bits a channel, with or without alpha, not interlaced: what Chromium writes."""
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", png[16:29])
    assert depth == 8 and kind in (2, 6) and not interlaced, "a kind of PNG that is not read here"
    data, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at:at + 4])
        if png[at + 4:at + 8] == b"IDAT":
            data += png[at + 8:at + 8 + length]
        at += length + 12
    raw, channels, counts = zlib.decompress(data), {2: 3, 6: 4}[kind], {}
    stride, above = width * channels, bytearray(width * channels)
    for row in range(height):
        begin = row * (stride + 1)
        line = unfiltered(raw[begin], bytearray(raw[begin + 1:begin + 1 + stride]), above, channels)
        for pixel in range(0, stride, channels):
            colour = tuple(line[pixel:pixel + 3])
            counts[colour] = counts.get(colour, 0) + 1
        above = line
    return counts


def unfiltered(method, line, above, channels):
    for i in range(len(line)) if method else ():
        left = line[i - channels] if i >= channels else 0
        corner = above[i - channels] if i >= channels else 0
        if method == 1:
            guess = left
        elif method == 2:
            guess = above[i]
        elif method == 3:
            guess = (left + above[i]) // 2
        else:
            guess = min((left, above[i], corner), key=lambda x: abs(left + above[i] - corner - x))
        line[i] = (line[i] + guess) & 255
    return line
