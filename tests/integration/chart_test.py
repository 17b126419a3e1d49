#!/usr/bin/env python3
"""Renders the Helm chart as a user would and looks at what comes: `chart_test.py BUILD`.

Ends with `N passed, N failed`. Helm is looked for in $HELM, in PATH and in the cache of tests/e2e; without it the test
is skipped (status 77).
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

from chart.invariants import SYSTEM_NAMESPACES, check_all, check_hooks, equal
from chart.rendered import CHART, HELM, NAMESPACE, ROOT, Rendered, at, helm, merge
from chart.reviews import ASKS, REVIEWS, SILENT
from chart.switched import OTHERS

SKIPPED = 77
# Keys of the configuration file that are no values: the chart gives them.
DERIVED = {"pods": {"ownNamespace", "excludedNamespaces"},
           "server": {"address", "plainAddress", "certificateFile", "keyFile", "serverNames"}}


class Skipped(Exception):
    """Something that the test needs is not on this machine."""


def values_of_chart():
    return yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))


def refused(values, *words):
    """Helm refuses the values with a message that holds every word."""
    done = helm(values)
    if done.returncode == 0:
        raise AssertionError(f"{values} is accepted")
    missing = [word for word in words if word not in done.stderr]
    if missing:
        raise AssertionError(f"{values} is refused without {missing}: {done.stderr.strip()}")


def in_force(build, text):
    """The whole configuration that the program makes of a file."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([build / "toposeg-webhook", "--config", file.name, "--print-config"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    if done.returncode != 0:
        raise AssertionError(f"toposeg-webhook refuses the ConfigMap: {done.stderr.strip()}")
    return yaml.safe_load(done.stdout)


def leaves(tree, *path):
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from leaves(value, *path, key)
        else:
            yield (*path, key), value


def test_every_value_is_switched_below():
    """A value that nobody switches here would be a value that does nothing."""
    known = {".".join(path) for path, _ in leaves(values_of_chart())}
    empty_maps = {"tls.annotations", "serviceAccount.annotations", "podAnnotations", "podLabels", "nodeSelector",
                  "affinity"}
    equal(set(OTHERS) ^ (known | empty_maps), set(), "the difference between values.yaml and the switched values")


def test_every_value_has_a_comment():
    above, missing = "", []
    for line in (CHART / "values.yaml").read_text(encoding="utf-8").splitlines():
        key = re.match(r" *(\w+):", line)
        told = above.lstrip().startswith("#") or above.strip() in ("tolerations: []", "nodeSelector: {}")
        # The parts of resources are told of where they begin.
        if key and not told and key.group(1) not in ("requests", "limits", "cpu", "memory"):
            missing.append(line)
        above = line
    equal(missing, [], "values without a comment")


def test_defaults_hold_every_invariant():
    check_all(Rendered())


def test_each_switched_value_is_accepted_and_changes_what_is_installed():
    usual = Rendered().text
    for path, value in OTHERS.items():
        rendered = Rendered(at(path, value))
        check_all(rendered)
        if rendered.text == usual:
            raise AssertionError(f"{path}: {value!r} changes nothing")


def test_all_values_can_be_switched_together():
    everything = {}
    for path, value in OTHERS.items():
        everything = merge(everything, at(path, value))
    check_hooks(Rendered(everything))


# ---- the hooks ----

def test_policies_of_the_hooks():
    rendered = Rendered()
    policies = {hook["name"].partition(".")[0]: (hook["failurePolicy"], hook["sideEffects"])
                for hook in rendered.hooks()}
    equal(policies, {"workloads": ("Fail", "NoneOnDryRun"), "pods": ("Fail", "NoneOnDryRun"),
                     "topologies": ("Ignore", "None")}, "failurePolicy and sideEffects")


def test_automation_is_off_until_it_is_switched_on_and_never_fails_a_workload():
    equal(Rendered().hook("automation"), None, "the automation hook by default")
    values = merge(at("hooks.automation.enabled", True), at("hooks.workloads.failurePolicy", "Fail"))
    equal(Rendered(values).hook("automation")["failurePolicy"], "Ignore", "its failurePolicy")


def test_a_workload_is_sent_to_one_of_the_two_hooks_only():
    rendered = Rendered(at("hooks.automation.enabled", True))
    asks, silent = (rendered.hook(name)["matchConditions"][-1]["expression"] for name in (ASKS, SILENT))
    equal(re.sub(r"\s", "", silent), re.sub(r"\s", "", f"!({asks})"), "the condition of the automation hook")


def test_the_hooks_call_paths_that_the_program_serves():
    source = (ROOT / "webhook" / "program" / "serve.cc").read_text(encoding="utf-8")
    served = set(re.findall(r'add_hook\(\w+, "([^"]+)"', source))
    called = {hook["clientConfig"]["service"]["path"] for hook in Rendered().hooks()}
    equal(called, served, "paths of the hooks")


def test_every_key_of_the_program_lets_a_workload_through():
    source = (ROOT / "common" / "workload" / "keys.h").read_text(encoding="utf-8")
    keys = re.findall(r'"((?:kai\.scheduler|toposeg\.io)/[^"]+)"', source)
    expression = Rendered().hook("workloads")["matchConditions"][-1]["expression"]
    (pattern,) = set(re.findall(r"k\.matches\('([^']+)'\)", expression))
    equal([key for key in keys if not re.search(pattern, key)], [], "keys that the API server would not send")
    others = ["kai.scheduler/queue", "kueue.x-k8s.io/podset-required-topology", "toposegXio/plan", "x/toposeg.io/plan"]
    equal([key for key in others if re.search(pattern, key)], [], "keys of others that it would send")
    slips = ["kai.scheduler/segment_size", "kai.scheduler/Topology-Required", "toposeg.io/autmatic"]
    equal([key for key in slips if not re.search(pattern, key)], [], "slips that nobody would be told of")


def evaluator(build):
    """The API server's own evaluation of matchConditions, as a program; None without Go."""
    go = shutil.which("go")
    if go is None:
        return None
    program = build / "matchconditions"
    environment = {**os.environ, "GOFLAGS": "-buildvcs=false"}
    done = subprocess.run([go, "build", "-ldflags", "-s -w", "-o", program, "."], stderr=subprocess.PIPE, text=True,
                          cwd=ROOT / "tests" / "integration" / "matchconditions", env=environment, check=False)
    if done.returncode != 0:
        raise AssertionError(f"go build: {done.stderr.strip()}")
    return program


def test_the_api_server_calls_the_right_hook_and_no_expression_ends_in_an_error(build):
    """Under failurePolicy Fail an expression that ends in an error refuses the object, whoever it belongs to."""
    program = evaluator(build)
    if program is None:
        raise Skipped("the API server's evaluation of matchConditions needs Go")
    configuration = Rendered(at("hooks.automation.enabled", True)).get("MutatingWebhookConfiguration")
    configuration["webhooks"] = [hook for hook in configuration["webhooks"] if "matchConditions" in hook]
    cases = [{"name": name, "object": after, "old": before} for name, after, before, _ in REVIEWS]
    done = subprocess.run([program], input=json.dumps({"configuration": configuration, "cases": cases}),
                          stdout=subprocess.PIPE, text=True, check=True)
    answers = json.loads(done.stdout)
    for name, _, _, hook in REVIEWS:
        want = {f"{each}.toposeg.io": "true" if each == hook else "false" for each in (ASKS, SILENT)}
        equal(answers[name], want, f"what is called for {name}")


def test_configured_size_fields_are_looked_at_by_the_api_server():
    rendered = Rendered(at("config.workloads.nativeSizePaths", ["spec.group.size"]))
    expression = rendered.hook("workloads")["matchConditions"][-1]["expression"]
    if "o.spec.group.size != null" not in expression or "workersPerSegment" in expression:
        raise AssertionError(f"the condition does not follow nativeSizePaths: {expression}")


def test_excluded_namespaces_are_never_called_for_and_known_to_the_program():
    rendered = Rendered(at("excludedNamespaces", ["monitoring"]))
    for name in ("workloads", "pods"):
        values = rendered.hook(name)["namespaceSelector"]["matchExpressions"][0]["values"]
        equal(sorted(values), sorted([*SYSTEM_NAMESPACES, NAMESPACE, "monitoring"]), f"namespaces excluded by {name}")
    equal(rendered.config()["pods"]["excludedNamespaces"], ["monitoring"], "pods.excludedNamespaces")


def test_the_ca_is_written_on_every_hook_and_left_out_when_there_is_none():
    equal([hook["clientConfig"].get("caBundle") for hook in Rendered().hooks()], [None] * 3, "caBundle by default")
    given = Rendered(at("tls.caBundle", "QUJDRA=="))
    equal([hook["clientConfig"]["caBundle"] for hook in given.hooks()], ["QUJDRA=="] * 3, "caBundle")


# ---- permissions ----

def test_pods_may_be_changed_only_where_they_wait():
    equal(("", "pods", "patch") in Rendered().permissions(), True, "patch on pods with whenUnfit gate")
    for mode in ("pin", "refuse"):
        allowed = ("", "pods", "patch") in Rendered(at("config.pods.whenUnfit", mode)).permissions()
        equal(allowed, False, f"patch on pods with whenUnfit {mode}")


def test_every_kind_that_the_program_knows_can_be_read():
    allowed = Rendered().permissions()
    groups = {group for file in (ROOT / "common" / "workload" / "kinds").glob("*.cc")
              for group in re.findall(r'api_group\(\) const override { return "([^"]+)"; }', file.read_text("utf-8"))}
    equal(len(groups) >= 3, True, "kinds found in the sources")
    for group in groups:
        verbs = {verb for allowed_group, _, verb in allowed if allowed_group == group}
        equal(verbs, {"get", "list", "watch"}, f"verbs on workloads of {group}")
    watched = {group for rule in Rendered().hook("workloads")["rules"] for group in rule["apiGroups"]}
    equal(watched, groups, "API groups of the workloads hook")


def test_the_versions_of_kinds_can_be_asked_for_and_no_other_path():
    equal(Rendered().permissions_on_paths(), {("/apis/*", "get")}, "permissions on paths")
    versions = {version for rule in Rendered().hook("workloads")["rules"] for version in rule["apiVersions"]}
    equal(versions, {"*"}, "versions of the workloads hook")


# ---- the configuration file ----

def test_the_program_accepts_the_configuration_and_its_defaults_are_those_of_the_program(build):
    usual, ours = in_force(build, "{}"), in_force(build, Rendered().config_text())
    for section, keys in DERIVED.items():
        for key in keys:
            usual[section].pop(key)
            ours[section].pop(key)
    equal(ours, usual, "the configuration of an installation with default values")


def test_the_program_accepts_each_switched_value_and_uses_it(build):
    for path, value in OTHERS.items():
        if not path.startswith("config."):
            continue
        rendered = Rendered(at(path, value))
        _, section, key = path.split(".")
        equal(rendered.config()[section][key], value, f"{path} in the ConfigMap")
        got = in_force(build, rendered.config_text())[section][key]
        if isinstance(value, list) and isinstance(value[0], dict):
            got = [{k: v for k, v in item.items() if k in value[0]} for item in got]
        equal(got, value, f"{path} in force")


def test_no_key_of_the_configuration_is_missing_from_the_values(build):
    in_values = {path[1:3] for path, _ in leaves(values_of_chart()) if path[0] == "config"}
    known = {path[:2] for path, _ in leaves(in_force(build, "{}"))}
    derived = {(section, key) for section, keys in DERIVED.items() for key in keys}
    equal(known - derived, in_values, "keys of the configuration")


def test_a_changed_configuration_restarts_the_pod():
    digests = [Rendered(values).pod()["metadata"]["annotations"]["checksum/config"]
               for values in ({}, at("config.log.level", "debug"), at("podLabels", {"a": "b"}))]
    equal((digests[0] == digests[1], digests[0] == digests[2]), (False, True), "same digest as by default")


# ---- the pod ----

def test_the_grace_period_outlasts_lame_duck_and_drain():
    for duck, drain, total in (("10s", "20s", 35), ("1m5s", "2m", 190), ("1h", "0s", 3605)):
        values = merge(at("config.server.lameDuck", duck), at("config.server.drain", drain))
        equal(Rendered(values).pod()["spec"]["terminationGracePeriodSeconds"], total, f"grace for {duck} and {drain}")


def test_probes_ask_the_plain_port_for_pages_that_the_program_serves():
    source = (ROOT / "webhook" / "program" / "serve.cc").read_text(encoding="utf-8")
    container = Rendered().container()
    probes = {name: container[f"{name}Probe"]["httpGet"] for name in ("startup", "liveness", "readiness")}
    equal({name: get["path"] for name, get in probes.items()},
          {"startup": "/livez", "liveness": "/livez", "readiness": "/readyz"}, "pages of the probes")
    for get in probes.values():
        equal(get["port"], "plain", "port of a probe")
        equal(f'"{get["path"]}"' in source, True, f"{get['path']} in serve.cc")


def test_versions_agree_with_the_project():
    version = re.search(r"project\(toposeg VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text("utf-8")).group(1)
    equal(yaml.safe_load((CHART / "Chart.yaml").read_text("utf-8"))["appVersion"], version, "appVersion")
    equal(Rendered().container()["image"], f"toposeg-webhook:{version}", "the image")


# ---- wrong values ----

def test_wrong_values_are_refused_and_the_message_names_them():
    refused({"replcas": 1}, "replcas")
    refused(at("replicas", 2), "/replicas", "1")
    refused(at("hooks.pods.failurePolicy", "fail"), "/hooks/pods/failurePolicy", "Fail")
    refused(at("hooks.automation.failurePolicy", "Fail"), "/hooks/automation", "failurePolicy")
    refused(at("hooks.timeoutSeconds", 31), "/hooks/timeoutSeconds", "30")
    refused(at("hooks.timeoutSeconds", "5"), "/hooks/timeoutSeconds", "integer")
    refused(at("excludedNamespaces", ["Monitoring"]), "/excludedNamespaces/0", "pattern")
    refused(at("tls.caBundle", "-----BEGIN CERTIFICATE-----"), "/tls/caBundle", "pattern")
    refused(at("image.digest", "sha256:12"), "/image/digest", "pattern")
    refused(at("config.pods.whenUnfit", "wait"), "/config/pods/whenUnfit", "gate")
    refused(at("config.pods.ownNamespace", "other"), "/config/pods", "ownNamespace")
    refused(at("config.engine.budget", "100"), "/config/engine/budget", "pattern")
    refused(at("config.engine.planTtl", "5s1m"), "/config/engine/planTtl", "pattern")
    refused(at("config.server.lameDuck", "500ms"), "/config/server/lameDuck", "pattern")
    refused(at("config.server.port", 443), "/config/server/port", "1,024")
    refused(at("config.workloads.nativeSizePaths", ["spec.a-b"]), "/config/workloads/nativeSizePaths/0", "pattern")
    refused(at("config.workloads.managedRules", [{"name": "a"}]), "/config/workloads/managedRules/0", "managed")
    refused(at("config.log.level", "verbose"), "/config/log/level", "debug")


def test_values_that_only_clash_with_each_other_are_refused():
    refused(at("config.server.plainPort", 9443), "config.server.port and config.server.plainPort are both 9443")
    done = helm({}, "--namespace", "kube-system")
    equal((done.returncode != 0, "a namespace of its own" in done.stderr), (True, True), "refused in kube-system")


def main():
    if HELM is None:
        print("skipped: no helm in $HELM, in PATH or in ~/.cache/toposeg-e2e (tests/e2e/build makes one)")
        sys.exit(SKIPPED)
    build = pathlib.Path(sys.argv[1]).resolve()
    passed = failed = 0
    for name, test in [(name, test) for name, test in globals().items() if name.startswith("test_")]:
        try:
            test(*([build] if "build" in test.__code__.co_varnames[:test.__code__.co_argcount] else []))
            passed += 1
        except Skipped as reason:
            print(f"skipped {name[5:].replace('_', ' ')}: {reason}")
        except AssertionError as fault:
            failed += 1
            print(f"FAILED {name[5:].replace('_', ' ')}: {fault}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
