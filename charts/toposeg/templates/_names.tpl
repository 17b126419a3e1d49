{{/* Labels of every object. */}}
{{- define "toposeg.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "toposeg.selector" . }}
{{- end }}

{{/* What the Service and the Deployment find their pods by; it never changes. */}}
{{- define "toposeg.selector" -}}
app.kubernetes.io/name: toposeg
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/component: webhook
{{- end }}

{{- define "toposeg.image" -}}
{{- $tag := .Values.image.tag | default .Chart.AppVersion -}}
{{- .Values.image.repository }}:{{ $tag }}{{ with .Values.image.digest }}@{{ . }}{{ end }}
{{- end }}

{{/* Seconds of a duration such as 1h30m or 20s. */}}
{{- define "toposeg.seconds" -}}
{{- $hours := regexFind "[0-9]+h" . | trimSuffix "h" | int -}}
{{- $minutes := regexFind "[0-9]+m" . | trimSuffix "m" | int -}}
{{- $seconds := regexFind "[0-9]+s" . | trimSuffix "s" | int -}}
{{- add (mul $hours 3600) (mul $minutes 60) $seconds -}}
{{- end }}

{{/* How long the pod may take to end: a little longer than the process itself does. */}}
{{- define "toposeg.graceSeconds" -}}
{{- add (include "toposeg.seconds" .lameDuck) (include "toposeg.seconds" .drain) 5 -}}
{{- end }}
