"""What holds for the chart whatever its values are, and how a difference is told."""
from chart.rendered import NAMESPACE

SYSTEM_NAMESPACES = {"kube-system", "kube-public", "kube-node-lease"}


def equal(got, want, what):
    if got != want:
        raise AssertionError(f"{what} is {got!r}, and should be {want!r}")


def check_hooks(rendered):
    """No hook reaches beyond what is ours."""
    for hook in rendered.hooks():
        name = hook["name"]
        equal(hook["admissionReviewVersions"], ["v1"], f"review versions of {name}")
        if hook["failurePolicy"] not in ("Fail", "Ignore"):
            raise AssertionError(f"{name}: failurePolicy {hook['failurePolicy']}")
        for rule in hook["rules"]:
            words = rule["apiGroups"] + rule["resources"] + rule["operations"]
            if any("*" in word or "/" in word for word in words) or rule["scope"] not in ("Namespaced", "Cluster"):
                raise AssertionError(f"{name}: the rule {rule} matches too much")
            if "pods" in rule["resources"]:
                equal(hook.get("objectSelector"), {"matchLabels": {"toposeg.io/managed": "true"}}, f"selector of {name}")
                equal(rule["operations"], ["CREATE"], f"operations of {name}")
            if rule["scope"] == "Namespaced":
                (expression,) = hook["namespaceSelector"]["matchExpressions"]
                equal((expression["key"], expression["operator"]), ("kubernetes.io/metadata.name", "NotIn"), name)
                missing = {*SYSTEM_NAMESPACES, NAMESPACE} - set(expression["values"])
                equal(missing, set(), f"namespaces that {name} does not exclude")


def check_permissions(rendered):
    for group, resource, verb in rendered.permissions():
        if "*" in group + resource + verb or "/" in resource or resource == "secrets":
            raise AssertionError(f"the role allows {verb} on {resource} of {group!r}")
        if verb not in ("get", "list", "watch") and (group, resource, verb) not in {
                ("", "pods", "patch"), ("events.k8s.io", "events", "create"), ("events.k8s.io", "events", "patch")}:
            raise AssertionError(f"the role allows {verb} on {resource} of {group!r}")
    for binding in [item for item in rendered.objects if item["kind"] == "ClusterRoleBinding"]:
        equal(binding["roleRef"]["name"], rendered.get("ClusterRole")["metadata"]["name"], "the bound role")
        equal(binding["subjects"], [{"kind": "ServiceAccount", "name": rendered.pod()["spec"]["serviceAccountName"],
                                     "namespace": NAMESPACE}], "who holds the role")


def check_pod(rendered):
    """The Pod Security Standard `restricted`, and names that find each other."""
    spec, container = rendered.pod()["spec"], rendered.container()
    equal(spec["securityContext"]["runAsNonRoot"], True, "runAsNonRoot")
    equal(spec["securityContext"]["seccompProfile"], {"type": "RuntimeDefault"}, "seccompProfile")
    equal(container["securityContext"], {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True,
                                         "capabilities": {"drop": ["ALL"]}}, "securityContext of the container")
    labels = rendered.pod()["metadata"]["labels"]
    for kind in ("Service", "Deployment"):
        selector = rendered.get(kind)["spec"]["selector"]
        for key, value in selector.get("matchLabels", selector).items():
            equal(labels.get(key), value, f"label {key} of the pod, by which {kind} finds it")
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    server = rendered.config()["server"]
    equal(ports, {"https": server["port"], "plain": server["plainPort"]}, "ports of the container")
    equal(rendered.get("Service")["spec"]["ports"][0]["targetPort"], "https", "port behind the Service")
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    for key in ("certificateFile", "keyFile"):
        if not server[key].startswith(mounts["tls"] + "/"):
            raise AssertionError(f"server.{key} {server[key]} is not in the mounted Secret")
    equal(container["args"][-1], mounts["config"] + "/toposeg.yaml", "the configuration file")
    volumes = {volume["name"]: volume for volume in spec["volumes"]}
    config_map = rendered.get("ConfigMap")["metadata"]["name"]
    equal(volumes["config"]["configMap"]["name"], config_map, "the mounted ConfigMap")


def check_service(rendered):
    service = rendered.get("Service")["metadata"]
    port = rendered.get("Service")["spec"]["ports"][0]["port"]
    for hook in rendered.hooks():
        client = hook["clientConfig"]["service"]
        equal((client["name"], client["namespace"], client["port"]), (service["name"], service["namespace"], port),
              f"service of {hook['name']}")


def check_namespaces(rendered):
    cluster_wide = {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration", "ClusterRole",
                    "ClusterRoleBinding"}
    for item in rendered.objects:
        want = None if item["kind"] in cluster_wide else NAMESPACE
        equal(item["metadata"].get("namespace"), want, f"namespace of {item['kind']}")


def check_all(rendered):
    for check in (check_hooks, check_pod, check_service, check_namespaces):
        check(rendered)
    if any(item["kind"] == "ClusterRole" for item in rendered.objects):
        check_permissions(rendered)
