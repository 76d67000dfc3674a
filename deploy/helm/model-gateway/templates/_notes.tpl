{{- define "model-gateway.notes" -}}
{{- $name := include "model-gateway.name" . -}}
{{- $kind := ternary "statefulset" "deployment" (eq .Values.store.kind "sqlite") -}}
{{- $said := fromYaml (include "model-gateway.said" .) -}}
{{- $app := "APP" -}}
{{- range ($said.apps | default list) -}}{{- if eq $app "APP" -}}{{- $app = .name -}}{{- end -}}{{- end -}}
{{- $model := "MODEL" -}}
{{- range ($said.platforms | default dict) -}}{{- if and (kindIs "map" .) (eq (toString (get . "kind")) "simulator") -}}{{- $model = "sim-echo" -}}{{- end -}}{{- end -}}
Model Gateway is on its way. It is ready when this ends:

  kubectl -n {{ .Release.Namespace }} rollout status {{ $kind }}/{{ $name }}
{{- if and (eq (include "model-gateway.streams" .) "true") (lt (include "model-gateway.stopMs" . | int64) (include "model-gateway.totalMs" . | int64)) }}

A stream may last {{ include "model-gateway.totalMs" . }} ms, and a stop ends what still runs after {{ include "model-gateway.stopMs" . }} ms: a longer one is
cut and booked as estimated. To cut none, leave limits.stopMs out.
{{- end }}

A key, shown this once, and a first call{{ if eq $model "sim-echo" }}, answered by the simulator, free{{ end }}:

  kubectl -n {{ .Release.Namespace }} exec {{ $kind }}/{{ $name }} -- model-gateway keys issue --app {{ $app }} --email YOU@YOUR-COMPANY
  kubectl -n {{ .Release.Namespace }} port-forward service/{{ $name }} 8787:{{ .Values.service.port }} &
  curl -s http://127.0.0.1:8787/v1/chat -H 'x-api-key: KEY' -H 'content-type: application/json' -d '{"model":"{{ $model }}","maxTokens":100,"messages":[{"role":"user","content":"Hello, gateway!"}]}'
{{- end -}}
