{{/* Faults that the schema cannot see. */}}
{{- define "toposeg.check" -}}
{{- $server := .Values.config.server -}}
{{- if eq (int $server.port) (int $server.plainPort) -}}
{{- $text := "config.server.port and config.server.plainPort are both %d; choose two ports" -}}
{{- fail (printf $text (int $server.port)) -}}
{{- end -}}
{{- if has .Release.Namespace (list "kube-system" "kube-public" "kube-node-lease") -}}
{{- $text := "toposeg cannot live in %s: install it into a namespace of its own, such as toposeg-system" -}}
{{- fail (printf $text .Release.Namespace) -}}
{{- end -}}
{{- end }}
