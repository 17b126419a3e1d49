{{/*
The API server evaluates matchConditions before anybody has checked an object: any field may be missing or of another
type, and with failurePolicy Fail an expression that ends in an error refuses the object. So each step of a path is
guarded.
*/}}

{{/* True when the path is there and is a map: a list of the variable and its fields. */}}
{{- define "toposeg.cel.isMap" -}}
{{- $path := first . -}}
{{- $guards := list -}}
{{- range rest . -}}
{{- $guards = append $guards (printf "has(%s.%s)" $path .) -}}
{{- $path = printf "%s.%s" $path . -}}
{{- $guards = append $guards (printf "type(%s) == map" $path) -}}
{{- end -}}
{{ join " && " $guards }}
{{- end }}

{{/* True when a map of annotations holds a key of ours, or a slip of one: the webhook warns of it. */}}
{{- define "toposeg.cel.hasKeys" -}}
{{- $ours := "(?i)^(kai[.]scheduler/.*(segment|topology)|toposeg[.]io/)" -}}
{{ include "toposeg.cel.isMap" . }} && {{ join "." . }}.exists(k, k.matches('{{ $ours }}'))
{{- end }}

{{/* True when a field is there and not null: a list of the variable and its fields, two at least. */}}
{{- define "toposeg.cel.isSet" -}}
{{ include "toposeg.cel.isMap" (initial .) }} && has({{ join "." . }}) && {{ join "." . }} != null
{{- end }}

{{/* True when one of the replica specs, whatever its name, has such annotations: a list that leads to their map. */}}
{{- define "toposeg.cel.anyReplicaHasKeys" -}}
{{- $specs := join "." . -}}
{{- $replica := printf "%s[r]" $specs -}}
{{- $keys := include "toposeg.cel.hasKeys" (list $replica "template" "metadata" "annotations") -}}
{{ include "toposeg.cel.isMap" . }} && {{ $specs }}.exists(r, type({{ $replica }}) == map && {{ $keys }})
{{- end }}

{{/*
The alternatives by which an object asks for segments or levels, as the kinds of common/workload/kinds/ read them. It
looks at the object before an UPDATE too: also who stops asking is heard.
*/}}
{{- define "toposeg.cel.asks" -}}
{{- $group := list "o" "spec" "leaderWorkerTemplate" -}}
{{- $alternatives := list
  (include "toposeg.cel.hasKeys" (list "o" "metadata" "annotations"))
  (include "toposeg.cel.anyReplicaHasKeys" (list "o" "spec" "pytorchReplicaSpecs"))
  (include "toposeg.cel.hasKeys" (concat $group (list "workerTemplate" "metadata" "annotations")))
  (include "toposeg.cel.hasKeys" (concat $group (list "leaderTemplate" "metadata" "annotations")))
  (include "toposeg.cel.isSet" (concat $group (list "subGroupPolicy")))
  (include "toposeg.cel.hasKeys" (list "o" "spec" "annotations" "items"))
-}}
{{- range .Values.config.workloads.nativeSizePaths -}}
{{- $alternatives = append $alternatives (include "toposeg.cel.isSet" (concat (list "o") (splitList "." .))) -}}
{{- end -}}
[object, oldObject].exists(o, o != null && (
{{- range $i, $alternative := $alternatives }}
{{ if $i }}|| {{ end }}({{ $alternative }})
{{- end }}))
{{- end }}

{{/* True when an UPDATE changes one of the fields: their path in the object. */}}
{{- define "toposeg.cel.changes" -}}
{{- $now := printf "object.%s" . -}}
{{- $before := printf "oldObject.%s" . -}}
has({{ $now }}) != has({{ $before }}) || (has({{ $now }}) && {{ $now }} != {{ $before }})
{{- end }}

{{- define "toposeg.hooks.client" -}}
service:
  name: toposeg-webhook
  namespace: {{ .root.Release.Namespace }}
  path: {{ .path }}
  port: 443
{{- with .root.Values.tls.caBundle }}
caBundle: {{ . }}
{{- end }}
{{- end }}

{{- define "toposeg.hooks.namespaces" -}}
{{- $always := list "kube-system" "kube-public" "kube-node-lease" .Release.Namespace -}}
matchExpressions:
  - key: kubernetes.io/metadata.name
    operator: NotIn
    values:
    {{- range concat $always .Values.excludedNamespaces | uniq }}
      - {{ . | quote }}
    {{- end }}
{{- end }}

{{- define "toposeg.hooks.workloadRules" -}}
- operations: [CREATE, UPDATE]
  apiGroups: [kubeflow.org]
  apiVersions: ["*"]
  resources: [pytorchjobs]
  scope: Namespaced
- operations: [CREATE, UPDATE]
  apiGroups: [leaderworkerset.x-k8s.io]
  apiVersions: ["*"]
  resources: [leaderworkersets]
  scope: Namespaced
- operations: [CREATE, UPDATE]
  apiGroups: [run.ai]
  apiVersions: ["*"]
  resources: [distributedworkloads]
  scope: Namespaced
{{- end }}

{{/* Deletion in the foreground ends with an UPDATE, which must pass while the webhook is away. */}}
{{- define "toposeg.hooks.workloadConditions" -}}
- name: not-being-deleted
  expression: "!has(object.metadata.deletionTimestamp)"
- name: created-or-changed
  expression: >-
    oldObject == null
    {{- range list "spec" "metadata.annotations" "metadata.labels" "metadata.ownerReferences" }}
    || {{ include "toposeg.cel.changes" . }}
    {{- end }}
{{- end }}
