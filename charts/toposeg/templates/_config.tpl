{{/* The configuration file: the values under `config`, and the keys that follow from other values. */}}
{{- define "toposeg.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- if kindIs "invalid" $config.workloads.managedRules -}}
{{- $_ := unset $config.workloads "managedRules" -}}
{{- end -}}
{{- $_ := set $config.pods "ownNamespace" .Release.Namespace -}}
{{- $_ := set $config.pods "excludedNamespaces" .Values.excludedNamespaces -}}
{{- $_ := set $config.server "address" "0.0.0.0" -}}
{{- $_ := set $config.server "plainAddress" "0.0.0.0" -}}
{{- $_ := set $config.server "certificateFile" "/etc/toposeg/tls/tls.crt" -}}
{{- $_ := set $config.server "keyFile" "/etc/toposeg/tls/tls.key" -}}
{{- toYaml $config -}}
{{- end }}
