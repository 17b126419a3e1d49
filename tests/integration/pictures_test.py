#!/usr/bin/env python3
"""Pictures of plans and topologies, from the program to a real browser: `pictures_test.py BUILD`.

Ends with `N passed, N failed`. Without Chromium only the files are looked at, unless CI is set: there it must be.
"""
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import browser  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
LEVELS = ("topology.kubernetes.io/zone", "example.com/block", "example.com/rack", "kubernetes.io/hostname")
HOSTILE = """"><script>document.title='broken'</script>&<img src=x onerror="document.title='broken'">"""
# Runs in a copy of a page, after its own script, and leaves what it found in the title.
PROBE = """<script>
(() => {
  const all = (query) => [...document.querySelectorAll(query)];
  const box = (element) => element.getBoundingClientRect();
  const main = document.querySelector("main"), picture = box(document.querySelector("main svg"));
  const hosts = all("main .h"), about = document.getElementById("about"), view = main.firstElementChild.viewBox.baseVal;
  const point = (type, element) => element.dispatchEvent(new PointerEvent(type, {bubbles: true}));
  const within = (a, b) => a.left >= b.left - 1 && a.top >= b.top - 1 && a.right <= b.right + 1 && a.bottom <= b.bottom + 1;
  const guest = hosts.find((host) => host.dataset.p);
  const found = {hosts: hosts.length, items: all("li").length, before: about.textContent};
  found.inside = hosts.every((host) => within(box(host), picture));
  found.smallest = Math.min(...hosts.map((host) => box(host).width));
  found.long = hosts.filter((host) => [...host.querySelectorAll("text")].some((text) =>
    box(text).right > box(host).right + 1)).length;
  if (guest) {
    point("pointerover", guest.lastElementChild);
    found.about = about.textContent;
    found.faint = all(".faint").length;
    found.on = all("li.on").length;
    point("pointerleave", document.querySelector("main svg"));
    found.cleared = all(".faint").length === 0 && about.textContent === found.before;
  }
  const width = view.width;
  document.getElementById("in").click();
  found.closer = view.width < width;
  document.getElementById("all").click();
  found.whole = view.width === width;
  found.title = document.title;
  document.documentElement.dataset.found = JSON.stringify(found);
})();
</script></body>"""


def node(number, racks_of, health):
    rack = number // racks_of
    names = (f"zone-{rack // 72}", f"block-{rack // 8:03}", f"rack-{rack:04}", f"node-{number:05}")
    return {"apiVersion": "v1", "kind": "Node",
            "metadata": {"name": names[-1], "labels": dict(zip(LEVELS, names))},
            "spec": {"unschedulable": health == "cordoned"},
            "status": {"allocatable": {"nvidia.com/gpu": "8", "pods": "110"},
                       "conditions": [{"type": "Ready", "status": "False" if health == "down" else "True"}]}}


def cluster(hosts, racks_of):
    """Every 50th host is cordoned, every 70th down."""
    health = {number: "cordoned" for number in range(0, hosts, 50)} | {number: "down" for number in range(20, hosts, 70)}
    topology = {"apiVersion": "kai.scheduler/v1alpha1", "kind": "Topology", "metadata": {"name": "cluster-topology"},
                "spec": {"levels": [{"nodeLabel": level} for level in LEVELS]}}
    return {"apiVersion": "v1", "kind": "List",
            "items": [topology, *(node(number, racks_of, health.get(number)) for number in range(hosts))]}


def job(workers, size, name="train"):
    notes = {"kai.scheduler/topology": "cluster-topology", "kai.scheduler/segment-size": str(size),
             "kai.scheduler/segment-topology-required-placement": LEVELS[2]}
    container = {"name": "pytorch", "image": "x", "resources": {"limits": {"nvidia.com/gpu": "8"}}}
    return {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": name, "namespace": "research"},
            "spec": {"pytorchReplicaSpecs": {"Worker": {"replicas": workers, "template": {
                "metadata": {"annotations": notes}, "spec": {"containers": [container]}}}}}}


class Pictures:
    def __init__(self, build, folder, program):
        self.build, self.folder = build, folder
        self.browser = browser.Browser(program, folder) if program else None

    def draw(self, name, form, objects, manifest):
        """The program's answer as a file."""
        for suffix, document in (("cluster", objects), ("job", manifest)):
            (self.folder / f"{name}.{suffix}.json").write_text(json.dumps(document), encoding="utf-8")
        command = [self.build / "toposeg", "plan", "-f", self.folder / f"{name}.job.json", "--cluster",
                   self.folder / f"{name}.cluster.json", "-o", form]
        file = self.folder / f"{name}.{form}"
        with file.open("wb") as out:
            subprocess.run(command, stdout=out, check=True, timeout=120)
        return file

    def probe(self, page):
        copy = page.with_name("probed-" + page.name)
        copy.write_text(page.read_text(encoding="utf-8").replace("</body>", PROBE), encoding="utf-8")
        dom = self.browser.dom(copy)
        check(not self.browser.console, f"the console says: {self.browser.console[:3]}")
        check(not self.browser.requests(), f"the page asks for {self.browser.requests()[:3]}")
        return json.loads(html.unescape(re.search(r'data-found="([^"]*)"', dom).group(1)))


def check(holds, message):
    if not holds:
        raise AssertionError(message)


def has_class(element, name):
    return name in element.get("class", "").split()


def structure(svg):
    """Counts of shapes by class; every reference stays inside the file."""
    tree = ElementTree.fromstring(svg)
    counts = {}
    for element in tree.iter():
        for name in element.get("class", "").split():
            counts[name] = counts.get(name, 0) + 1
        for key, value in element.items():
            check(not key.endswith("href") and "://" not in value and "javascript:" not in value, f"{key}={value}")
    check(not list(tree.iter(SVG + "script")), "a script in the picture")
    for host in (element for element in tree.iter(SVG + "g") if has_class(element, "h")):
        check(host[0].tag == SVG + "title" and host[0].text, "a host that tells nothing")
    return counts


def test_files_of_24_hosts(pictures):
    counts = structure(pictures.draw("few", "svg", cluster(24, 6), job(8, 4)).read_text(encoding="utf-8"))
    check((counts["h"], counts["b"]) == (24, 1 + 1 + 4), f"hosts and domains: {counts}")
    check(counts["p0"] == counts["p1"] == 5, f"4 hosts a segment and the legend: {counts}")
    check(counts["ill"] == 3, f"1 cordoned, 1 down, the legend: {counts}")


def test_files_of_5184_hosts(pictures):
    file = pictures.draw("many", "svg", cluster(5184, 18), job(512, 16))
    counts = structure(file.read_text(encoding="utf-8"))
    check((counts["h"], counts["b"]) == (5184, 4 + 36 + 288), f"hosts and domains: {counts}")
    check(file.stat().st_size < 2_000_000, f"{file.stat().st_size} bytes")


def test_topology_without_a_plan(pictures):
    command = [pictures.build / "toposeg", "topology", "--cluster", ROOT / "examples/cluster.yaml", "-o", "svg"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=60)
    counts = structure(done.stdout)
    check(counts["h"] == 32 and "p0" in done.stdout and counts.get("l", 0) == 0, f"{counts}")


def hostile_cluster():
    """Label values are limited to 63 letters by the API server; files are not, so these are worse."""
    objects = cluster(24, 6)
    for number, item in enumerate(objects["items"][1:]):
        labels = item["metadata"]["labels"]
        labels[LEVELS[2]] = (HOSTILE if number < 12 else "r" * 63) + str(number // 6)
        if number % 2:
            item["metadata"]["name"] = labels[LEVELS[3]] = HOSTILE + str(number)
    return objects


def test_hostile_names_in_files(pictures):
    counts = structure(pictures.draw("hostile", "svg", hostile_cluster(), job(8, 4)).read_text(encoding="utf-8"))
    check(counts["h"] == 24, f"{counts}")


def check_page(found, hosts, segments, per_segment):
    check((found["hosts"], found["items"]) == (hosts, segments), f"{found}")
    check(found["inside"] and found["long"] == 0, f"outside the picture, or text beyond its host: {found}")
    check(found["about"] != found["before"] and "segment" in found["about"], f"pointing shows nothing: {found}")
    check(found["faint"] == hosts - per_segment and found["on"] == 1, f"pointing sets nothing off: {found}")
    check(found["cleared"] and found["closer"] and found["whole"], f"{found}")


def browse_24_hosts(pictures):
    found = pictures.probe(pictures.draw("few", "html", cluster(24, 6), job(8, 4)))
    check_page(found, 24, 2, 4)
    check(found["smallest"] > 60, f"{found}")
    check("node-" in found["about"] and "train segment 0: 0" in found["about"], f"{found}")


def browse_5184_hosts(pictures):
    found = pictures.probe(pictures.draw("many", "html", cluster(5184, 18), job(512, 16)))
    check_page(found, 5184, 32, 16)
    check(found["smallest"] > 4, f"{found}")


def browse_hostile_names(pictures):
    found = pictures.probe(pictures.draw("hostile", "html", hostile_cluster(), job(8, 4)))
    check_page(found, 24, 2, 4)
    check("broken" not in found["title"], f"a name ran as a script: {found}")


def browse_colours_light_and_dark(pictures):
    file = pictures.draw("few", "svg", cluster(24, 6), job(8, 4))
    light, dark = (pictures.browser.pixels(file, 800, 600, dark) for dark in (False, True))
    check(not pictures.browser.requests(), f"the picture asks for {pictures.browser.requests()}")
    blue, white = (0x00, 0x72, 0xB2), (255, 255, 255)
    check(min(light.get(blue, 0), dark.get(blue, 0)) > 2000, "the first segment is not to be seen")
    check(light.get(white, 0) > 100_000 > 20_000 > dark.get(white, 0), "light and dark look the same")


def browse_a_page_that_asks_the_network(pictures):
    """So that silence of the others means something."""
    page = pictures.folder / "asking.html"
    page.write_text('<img src="http://192.0.2.1/x.png"><script>console.error("heard")</script>', encoding="utf-8")
    pictures.browser.dom(page)
    check(pictures.browser.requests() == ["http://192.0.2.1/x.png"], f"{pictures.browser.requests()}")
    check(any("heard" in line for line in pictures.browser.console), f"{pictures.browser.console}")


def main():
    program = browser.find()
    if program is None and os.environ.get("CI"):
        print("FAILED Chromium is missing: scripts/setup --checks installs it\n0 passed, 1 failed")
        sys.exit(1)
    passed = failed = 0
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        pictures = Pictures(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder), program)
        for name, test in list(globals().items()):
            if not name.startswith(("test_", "browse_") if program else "test_"):
                continue
            try:
                test(pictures)
                passed += 1
            except Exception:  # pylint: disable=broad-except
                failed += 1
                print(f"FAILED {name}")
                traceback.print_exc(limit=3, file=sys.stdout)
    if program is None:
        print("the browser's part is left out: Chromium is missing, scripts/setup --checks installs it")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
