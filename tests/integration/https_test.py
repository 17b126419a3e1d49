#!/usr/bin/env python3
"""The webhook over real HTTPS with the real curl: `https_test.py BUILD`. Ends with `N passed, N failed`.

One process of the webhook serves all tests on loopback, on ports that are free; it must still live at the end.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from harness import operators, reviews, server  # noqa: E402

SEVEN_MIB = 7 << 20
RECORDED = ROOT / "tests" / "data" / "reviews"
CLUSTER = pathlib.Path(__file__).parent / "cluster.json"
JSON = ("--header", "Content-Type: application/json")
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def check(condition, message):
    if not condition:
        raise AssertionError(message)


class Curl:
    """curl with the webhook's CA; bodies go by standard input."""

    def __init__(self, webhook):
        self.webhook = webhook

    def run(self, *arguments, body=None):
        return subprocess.run(["curl", "--silent", "--show-error", "--max-time", "60", *arguments], input=body,
                              capture_output=True, check=False)

    def url(self, path):
        return f"https://localhost:{self.webhook.port}{path}"

    def post(self, path, body, *arguments, headers=JSON):
        """Status and text of the answer."""
        if isinstance(body, str):
            body = body.encode()
        done = self.run("--cacert", str(self.webhook.ca_file), "--data-binary", "@-", "--write-out", "\n%{http_code}",
                        *headers, *arguments, self.url(path), body=body)
        text, _, status = done.stdout.decode(errors="replace").rpartition("\n")
        return int(status or 0), text

    def plain(self, path):
        done = self.run("--write-out", "\n%{http_code}", f"http://127.0.0.1:{self.webhook.plain_port}{path}")
        text, _, status = done.stdout.decode().rpartition("\n")
        return int(status or 0), text


def pytorchjob(name, workers=8, size="4", required="cloud.provider.com/topology-rack", gpu=1):
    container = {"name": "pytorch", "image": "example.com/train:1", "resources": {"limits": {"nvidia.com/gpu": gpu}}}
    annotations = {"kai.scheduler/topology": "cluster-topology", "kai.scheduler/segment-size": size,
                   "kai.scheduler/segment-topology-required-placement": required}
    return {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": name, "namespace": "ml-team"},
            "spec": {"pytorchReplicaSpecs": {"Worker": {"replicas": workers, "template": {
                "metadata": {"annotations": annotations}, "spec": {"containers": [container]}}}}}}


def review_text(document, **options):
    return json.dumps(reviews.review_of(document, **options))


def answered(curl, path, text):
    """The response of a review that must be answered with 200."""
    status, body = curl.post(path, text)
    check(status == 200, f"status {status}: {body[:300]}")
    return json.loads(body)["response"]


def check_response(request, response):
    check(response["uid"] == request["uid"], f"uid {response['uid']} is not the request's")
    check(("patch" in response) == ("patchType" in response), "patch and patchType must come together")
    check(isinstance(response["allowed"], bool), "allowed is no boolean")
    for warning in response.get("warnings", []):
        check(len(warning) <= 120, f"a warning of {len(warning)} characters: {warning}")
    if not response["allowed"]:
        check(response["status"]["message"], "a denial without a message")
        check("patch" not in response, "a denial with a patch")


@test
def every_recorded_review_is_answered_by_the_contract(curl):
    files = sorted(RECORDED.glob("*.json"))
    check(len(files) >= 49, f"only {len(files)} recorded reviews in {RECORDED}")
    for file in files:
        text = file.read_text(encoding="utf-8")
        request = json.loads(text)["request"]
        path = reviews.hook_of(request["kind"]["kind"])
        try:
            response = answered(curl, path, text)
            check_response(request, response)
            reviews.apply(request["object"], reviews.patch_of(response))
        except (AssertionError, KeyError, IndexError) as fault:
            raise AssertionError(f"{file.name}: {fault}") from fault


@test
def a_patched_object_gets_no_second_patch(curl):
    for file in sorted(RECORDED.glob("*create*.json")) + sorted(RECORDED.glob("pod-*.json")):
        review = json.loads(file.read_text(encoding="utf-8"))
        path = reviews.hook_of(review["request"]["kind"]["kind"])
        operations = reviews.patch_of(answered(curl, path, json.dumps(review)))
        review["request"]["object"] = reviews.apply(review["request"]["object"], operations)
        again = reviews.patch_of(answered(curl, path, json.dumps(review)))
        check(not again, f"{file.name}: the second pass changes {[operation['path'] for operation in again]}")


@test
def a_deletion_in_progress_passes_untouched(curl):
    text = (RECORDED / "pytorchjob-update-delete-foreground.json").read_text(encoding="utf-8")
    response = answered(curl, "/v1/workloads", text)
    check(response["allowed"] and "patch" not in response, f"not left alone: {response}")


@test
def a_number_as_segment_size_is_refused_with_the_quoted_form(curl):
    text = (RECORDED / "pytorchjob-create-integer-annotation.json").read_text(encoding="utf-8")
    response = answered(curl, "/v1/workloads", text)
    check(not response["allowed"] and response["status"]["code"] == 422, f"not refused: {response}")
    check('"4"' in response["status"]["message"], f"no quoted form: {response['status']['message']}")


@test
def each_segment_of_a_job_goes_to_one_rack(curl):
    job = pytorchjob("whole-way", workers=16)
    response = answered(curl, "/v1/workloads", review_text(job))
    check(response["allowed"], response)
    stored = reviews.apply(job, reviews.patch_of(response))
    racks = {}
    for pod, user in operators.pods_of(stored, str(uuid.uuid4())):
        answer = answered(curl, "/v1/pods", review_text(pod, user=user, field_manager=""))
        placed = reviews.apply(pod, reviews.patch_of(answer))
        notes = placed["metadata"]["annotations"]
        racks.setdefault(notes["toposeg.io/segment"], set()).add(notes["toposeg.io/domain"])
        terms = placed["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
        values = [expression["values"] for expression in terms["nodeSelectorTerms"][0]["matchExpressions"]]
        check([value[0] for value in values] == json.loads(notes["toposeg.io/domain"])[:len(values)],
              f"{pod['metadata']['name']}: nodeAffinity {values} is not its domain {notes['toposeg.io/domain']}")
    check(sorted(racks) == ["0", "1", "2", "3"], f"segments {sorted(racks)}")
    check(all(len(domains) == 1 for domains in racks.values()), f"a segment in several racks: {racks}")


@test
def the_leader_of_a_set_joins_its_first_segment(curl):
    text = (RECORDED / "lws-leaderworker-create-kubectl-create-after-lws-webhook.json").read_text(encoding="utf-8")
    document = json.loads(text)["request"]["object"]
    document["metadata"]["name"] = "serving"
    response = answered(curl, "/v1/workloads", review_text(document))
    stored = reviews.apply(document, reviews.patch_of(response))
    segments = {}
    for pod, user in operators.pods_of(stored, str(uuid.uuid4())):
        answer = answered(curl, "/v1/pods", review_text(pod, user=user, field_manager=""))
        notes = reviews.apply(pod, reviews.patch_of(answer))["metadata"]["annotations"]
        segments[pod["metadata"]["name"]] = (notes["toposeg.io/segment"], notes["toposeg.io/domain"])
    check([segment for segment, _ in segments.values()] == ["0", "0", "0", "1", "1"], f"segments: {segments}")
    check(len({domain for segment, domain in segments.values() if segment == "0"}) == 1, f"domains: {segments}")


def ledger_names(curl):
    return {row["workload"].rpartition("/")[2] for row in json.loads(curl.plain("/debug/ledger")[1])["pods"]}


@test
def a_dry_run_reserves_nothing(curl):
    name = "dry"
    job = pytorchjob(name, workers=4, gpu=8)
    response = answered(curl, "/v1/workloads", review_text(job, dry_run=True))
    check(response["allowed"] and "patch" in response, f"no patch: {response}")
    check(name not in ledger_names(curl), "a dry run is in the ledger")
    answered(curl, "/v1/workloads", review_text(job))
    check(name in ledger_names(curl), "the real run is not in the ledger")


@test
def a_size_above_the_replicas_names_both(curl):
    response = answered(curl, "/v1/workloads", review_text(pytorchjob("too-large", workers=8, size="20")))
    check(response["status"]["code"] == 422 and response["status"]["reason"] == "Invalid", f"{response}")
    message = response["status"]["message"]
    check("20" in message and "8" in message and "segment-size" in message, message)
    check(response["status"]["details"]["causes"][0]["field"], "a cause without a field")


@test
def ten_thousand_and_one_segments_are_refused(curl):
    response = answered(curl, "/v1/workloads", review_text(pytorchjob("many", workers=20002, size="2")))
    check(not response["allowed"] and "10001" in response["status"]["message"], f"{response}")


@test
def a_topology_of_seventeen_levels_is_refused(curl):
    levels = [{"nodeLabel": f"example.com/level-{index}"} for index in range(17)]
    topology = {"apiVersion": "kai.scheduler/v1alpha1", "kind": "Topology", "metadata": {"name": "deep"},
                "spec": {"levels": levels}}
    response = answered(curl, "/v1/topologies", review_text(topology))
    check(not response["allowed"] and "16" in response["status"]["message"], f"{response}")
    topology["spec"]["levels"] = levels[:16]
    response = answered(curl, "/v1/topologies", review_text(topology))
    check(response["allowed"], f"sixteen levels are refused: {response}")


@test
def an_object_of_another_kind_passes_with_no_patch(curl):
    document = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "stray"}, "spec": {"containers": []}}
    response = answered(curl, "/v1/workloads", review_text(document))
    check(response["allowed"] and "patch" not in response, f"{response}")


@test
def a_truncated_body_is_refused(curl):
    text = (RECORDED / "pod-pytorch-worker-0.json").read_bytes()
    status, body = curl.post("/v1/pods", text[:len(text) // 2])
    check(status == 400 and "line" in body, f"{status}: {body}")


@test
def an_empty_body_is_refused(curl):
    status, body = curl.post("/v1/pods", b"")
    check(status == 400, f"{status}: {body}")


@test
def a_body_of_seven_mebibytes_is_taken(curl):
    text = review_text(pytorchjob("padded", workers=4), dry_run=True).encode()
    response = answered(curl, "/v1/workloads", text + b" " * (SEVEN_MIB - len(text)))
    check(response["allowed"], f"{response}")


@test
def one_byte_more_than_seven_mebibytes_is_refused(curl):
    text = review_text(pytorchjob("padded", workers=4), dry_run=True).encode()
    status, _ = curl.post("/v1/workloads", text + b" " * (SEVEN_MIB + 1 - len(text)))
    check(status == 413, f"status {status}")


@test
def a_wrong_content_type_is_refused(curl):
    status, _ = curl.post("/v1/pods", "{}", headers=("--header", "Content-Type: text/plain"))
    check(status == 415, f"status {status}")


@test
def a_compressed_body_is_refused(curl):
    status, _ = curl.post("/v1/pods", "{}", "--header", "Content-Encoding: gzip")
    check(status == 415, f"status {status}")


@test
def a_chunked_body_is_refused(curl):
    status, _ = curl.post("/v1/pods", "{}", "--header", "Transfer-Encoding: chunked")
    check(status == 501, f"status {status}")


@test
def a_header_of_seventeen_kibibytes_is_refused(curl):
    status, _ = curl.post("/v1/pods", "{}", "--header", f"X-Long: {'x' * (17 << 10)}")
    check(status == 431, f"status {status}")


@test
def a_review_of_v1beta1_is_refused_with_the_right_version(curl):
    review = reviews.review_of(pytorchjob("old"))
    review["apiVersion"] = "admission.k8s.io/v1beta1"
    status, body = curl.post("/v1/workloads", json.dumps(review))
    check(status == 400 and "admission.k8s.io/v1" in body, f"{status}: {body}")


@test
def a_bare_object_is_no_review(curl):
    status, body = curl.post("/v1/workloads", json.dumps(pytorchjob("bare")))
    check(status == 400 and "AdmissionReview" in body, f"{status}: {body}")


@test
def a_wrong_path_is_not_found(curl):
    status, _ = curl.post("/v1/nodes", "{}")
    check(status == 404, f"status {status}")


@test
def a_get_on_a_hook_is_not_allowed(curl):
    done = curl.run("--cacert", str(curl.webhook.ca_file), "--write-out", "%{http_code}", "--output", "/dev/null",
                    curl.url("/v1/pods"))
    check(done.stdout == b"405", f"status {done.stdout}")


@test
def depth_bombs_are_refused(curl):
    for bomb in ("[" * 100_000, '{"a":' * 100_000, '{"kind":"AdmissionReview","request":' + "[" * 70 + "]" * 70 + "}"):
        status, body = curl.post("/v1/pods", bomb)
        check(status == 400, f"status {status}: {body[:200]}")


@test
def duplicate_keys_are_refused_by_name(curl):
    status, body = curl.post("/v1/pods", '{"kind":"AdmissionReview","kind":"AdmissionReview"}')
    check(status == 400 and "kind" in body and "twice" in body, f"{status}: {body}")


@test
def invalid_utf8_is_refused(curl):
    status, body = curl.post("/v1/pods", b'{"kind":"\xff\xfe"}')
    check(status == 400 and "UTF-8" in body, f"{status}: {body}")


@test
def numbers_outside_64_bits_are_refused(curl):
    status, body = curl.post("/v1/pods", '{"kind":"AdmissionReview","request":123456789012345678901234567890}')
    check(status == 400, f"{status}: {body}")


@test
def several_requests_share_one_connection(curl):
    text = review_text(pytorchjob("kept", workers=4), dry_run=True)
    one = ("--cacert", str(curl.webhook.ca_file), "--data-binary", text, *JSON, "--output", "/dev/null", "--write-out",
           "%{http_code} %{num_connects}\n", curl.url("/v1/workloads"))
    done = curl.run(*one, "--next", "--silent", *one)
    check(done.stdout.split() == [b"200", b"1", b"200", b"0"], f"answers and new connections: {done.stdout}")


@test
def the_certificate_is_checked_by_a_client_that_wants_to(curl):
    done = curl.run("--data-binary", "{}", curl.url("/v1/pods"))
    check(done.returncode == 60, f"curl without the CA ends with {done.returncode}")


@test
def tls_1_1_is_not_spoken(curl):
    done = curl.run("--cacert", str(curl.webhook.ca_file), "--tls-max", "1.1", "--ciphers", "DEFAULT@SECLEVEL=0",
                    curl.url("/v1/pods"))
    check(done.returncode == 35, f"curl with TLS 1.1 ends with {done.returncode}")


@test
def plain_http_on_the_https_port_does_no_harm(curl):
    done = curl.run("--data-binary", "{}", f"http://localhost:{curl.webhook.port}/v1/pods")
    check(done.returncode != 0 or b"200" not in done.stdout, "plain HTTP was answered")


@test
def health_metrics_and_state_are_on_the_plain_port(curl):
    for path in ("/livez", "/readyz", "/metrics", "/debug/topology", "/debug/ledger", "/debug/waiting"):
        status, text = curl.plain(path)
        check(status == 200 and text, f"{path}: status {status}")
    check("toposeg_" in curl.plain("/metrics")[1], "no metric of ours")
    check(curl.plain("/v1/pods")[0] == 404, "hooks must not be served in plain text")


@test
def the_process_lives_on(curl):
    check(curl.webhook.alive(), f"the webhook ended: {curl.webhook.log_tail()}")
    check(curl.plain("/livez")[0] == 200, "/livez does not answer")


def nodes_seen(webhook):
    view = json.loads(webhook.page("/debug/topology")[1])["topologies"][0]
    return sum(domain["nodes"] for domain in view["domains"] if domain["level"] == view["levels"][0])


def a_changed_cluster_file_is_read_again(program, folder):
    file = folder / "cluster.json"
    shutil.copy(CLUSTER, file)
    with server.Webhook(program, file, folder) as webhook:
        before = nodes_seen(webhook)
        content = json.loads(file.read_text(encoding="utf-8"))
        content["items"] = [item for item in content["items"] if item["metadata"]["name"] != "n00"]
        fresh = folder / "fresh.json"
        fresh.write_text(json.dumps(content), encoding="utf-8")
        fresh.rename(file)
        deadline = time.monotonic() + 60
        while nodes_seen(webhook) != before - 1:
            check(time.monotonic() < deadline, "the change was not seen within a minute")


def sigterm_ends_it_with_status_zero(program, folder):
    with server.Webhook(program, CLUSTER, folder) as webhook:
        status = webhook.stop()
    check(status == 0, f"exit status {status}")


def wrong_starts_say_what_is_wrong(program, folder):
    broken = folder / "broken.yaml"
    broken.write_text("apiVersion: v1\nkind: Node\nmetadata: {name: [}\n", encoding="utf-8")
    configuration = folder / "config.yaml"
    configuration.write_text("server:\n  prot: 1\n", encoding="utf-8")
    for arguments, status, part in (
            (["serve", "--snapshot", str(folder / "missing.yaml")], 3, "missing.yaml"),
            (["serve", "--snapshot", str(broken)], 3, "broken.yaml:3"),
            (["serve", "--snapshot", str(CLUSTER), "--config", str(configuration)], 3, "config.yaml:2"),
            (["serve"], 3, "--snapshot"),
            (["serve", "--kubeconfig", str(folder / "missing")], 3, "missing"),
            (["serve", "--snapshto", "x"], 2, "--snapsh")):
        done = subprocess.run([str(program), *arguments], capture_output=True, text=True, timeout=60, check=False)
        check(done.returncode == status and part in done.stderr,
              f"{arguments}: status {done.returncode}, expected {status} and '{part}': {done.stderr[:300]}")


def run(name, function, *arguments):
    try:
        function(*arguments)
    except Exception as fault:  # every kind of fault is a failed test
        detail = fault if isinstance(fault, AssertionError) else traceback.format_exc()
        print(f"FAILED {name}: {detail}")
        return False
    return True


def main():
    program = server.program_in(sys.argv[1])
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with server.Webhook(program, CLUSTER, folder) as webhook:
            results += [run(function.__name__, function, Curl(webhook)) for function in TESTS]
        for function in (a_changed_cluster_file_is_read_again, sigterm_ends_it_with_status_zero,
                         wrong_starts_say_what_is_wrong):
            results.append(run(function.__name__, function, program, folder))
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
