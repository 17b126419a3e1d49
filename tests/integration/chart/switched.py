"""Another value for every value of the chart, by its path."""

RULE = {"name": "team", "user": "system:serviceaccount:team:*", "managed": True}
POOL = {"label": "pool", "value": "a", "topology": "fabric"}
# Path of a value -> another value for it.
OTHERS = {
    "image.repository": "registry.test:5000/team/toposeg-webhook", "image.tag": "2.0",
    "image.digest": "sha256:" + "0123456789abcdef" * 4, "image.pullPolicy": "Always", "imagePullSecrets": ["pull"],
    "replicas": 0, "tls.secretName": "other-tls", "tls.caBundle": "QUJDRA==", "tls.annotations": {"a.test/b": "c"},
    "excludedNamespaces": ["monitoring", "backup"], "hooks.timeoutSeconds": 9,
    "hooks.workloads.failurePolicy": "Ignore",
    "hooks.automation.enabled": True, "hooks.pods.failurePolicy": "Ignore", "hooks.topologies.failurePolicy": "Fail",
    "serviceAccount.annotations": {"a.test/b": "c"}, "rbac.create": False, "podAnnotations": {"a.test/b": "c"},
    "podLabels": {"team": "a"}, "resources.requests.cpu": "2", "resources.requests.memory": "2Gi",
    "resources.limits.memory": "4Gi", "priorityClassName": "system-cluster-critical",
    "nodeSelector": {"pool": "system"},
    "tolerations": [{"key": "system", "operator": "Exists"}],
    "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}},
    "config.workloads.managedRules": [RULE], "config.workloads.pools": [POOL],
    "config.workloads.defaultTopology": "fabric", "config.workloads.automaticSegments": False,
    "config.workloads.automaticWhole": False, "config.workloads.unknown": "refuse",
    "config.workloads.nativeSizePaths": ["spec.group.size", "spec.other"], "config.workloads.maxSegments": 20,
    "config.workloads.deviceTolerations": True,
    "config.pods.schedulerNames": ["other"], "config.pods.whenUnfit": "pin", "config.pods.neutralSpreading": False,
    "config.engine.budget": "250ms", "config.engine.planTtl": "1m", "config.engine.podTtl": "1m30s",
    "config.engine.groupTtl": "2h30m", "config.engine.passing": "free", "config.server.port": 10250, "config.server.plainPort": 8080,
    "config.server.clientCaFile": "/etc/ca.pem", "config.server.workers": 3, "config.server.maxConnections": 100,
    "config.server.maxQueue": 50, "config.server.maxHeaderBytes": "8Ki", "config.server.maxBodyBytes": "1Mi",
    "config.server.headerTimeout": "5s", "config.server.bodyTimeout": "6s", "config.server.idleTimeout": "3m",
    "config.server.lameDuck": "1m5s", "config.server.drain": "2m", "config.log.level": "debug",
    "config.log.format": "text",
}
