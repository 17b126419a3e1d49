"""The chart, rendered by Helm for some values."""
import copy
import os
import pathlib
import shutil
import subprocess
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
CHART = ROOT / "charts" / "toposeg"
NAMESPACE = "toposeg-system"


def find_helm():
    named = os.environ.get("HELM") or shutil.which("helm")
    cached = sorted(pathlib.Path.home().glob(".cache/toposeg-e2e/*/helm"))
    return named or (str(cached[-1]) if cached else None)


HELM = find_helm()


def merge(base, over):
    result = copy.deepcopy(base)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = merge(result[key], value) if both else value
    return result


def helm(values, *options):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        yaml.safe_dump(values, file)
        file.flush()
        # The version is given because a Helm built without its release flags believes in a very old cluster.
        words = [HELM, "template", "test", str(CHART), "--namespace", NAMESPACE, "--kube-version", "1.36.0",
                 "--values", file.name, *options]
        return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, timeout=60)


class Rendered:
    """The objects of the chart for some values."""

    def __init__(self, values=None, *options):
        done = helm(values or {}, *options)
        if done.returncode != 0:
            raise AssertionError(f"helm refuses {values}: {done.stderr.strip()}")
        self.text = done.stdout
        self.objects = [document for document in yaml.safe_load_all(done.stdout) if document]

    def get(self, kind):
        found = [item for item in self.objects if item["kind"] == kind]
        if len(found) != 1:
            raise AssertionError(f"{len(found)} objects of kind {kind}, and there should be one")
        return found[0]

    def hook(self, name):
        hooks = [hook for kind in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
                 for hook in self.get(kind)["webhooks"] if hook["name"] == f"{name}.toposeg.io"]
        return hooks[0] if hooks else None

    def hooks(self):
        return [hook for item in self.objects if item["kind"].endswith("WebhookConfiguration")
                for hook in item["webhooks"]]

    def pod(self):
        return self.get("Deployment")["spec"]["template"]

    def container(self):
        return self.pod()["spec"]["containers"][0]

    def permissions(self):
        return {(group, resource, verb) for rule in self.get("ClusterRole")["rules"]
                for group in rule.get("apiGroups", []) for resource in rule["resources"] for verb in rule["verbs"]}

    def permissions_on_paths(self):
        return {(path, verb) for rule in self.get("ClusterRole")["rules"]
                for path in rule.get("nonResourceURLs", []) for verb in rule["verbs"]}

    def config_text(self):
        return self.get("ConfigMap")["data"]["toposeg.yaml"]

    def config(self):
        return yaml.safe_load(self.config_text())


def at(path, value):
    for key in reversed(path.split(".")):
        value = {key: value}
    return value
