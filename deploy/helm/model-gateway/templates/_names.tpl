{{- define "model-gateway.name" -}}
{{- $name := .Values.fullnameOverride | default (contains .Chart.Name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name)) -}}
{{- $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "model-gateway.selector" -}}
app.kubernetes.io/name: model-gateway
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "model-gateway.labels" -}}
{{ include "model-gateway.selector" . }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "model-gateway.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ ternary (printf "@%s" .digest) (printf ":%s" .tag) (ne .digest "") }}
{{- end -}}
{{- end -}}

{{- define "model-gateway.serviceAccount" -}}
{{ .Values.serviceAccount.existing | default (include "model-gateway.name" .) }}
{{- end -}}

{{/* How many there are at the least: autoscaling begins with its min. */}}
{{- define "model-gateway.replicas" -}}
{{- if ne .Values.autoscaling.kind "none" -}}{{ .Values.autoscaling.min }}
{{- else if not (kindIs "invalid" .Values.replicas) -}}{{ .Values.replicas }}
{{- else -}}{{ ternary 1 2 (eq .Values.store.kind "sqlite") }}
{{- end -}}
{{- end -}}
