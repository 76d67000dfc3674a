{{/* What the values say of the configuration, as YAML; the word Error where it is none. */}}
{{- define "model-gateway.written" -}}
{{- $written := .Values.config | default dict -}}
{{- if kindIs "string" $written -}}{{- $written = fromYaml $written -}}{{- end -}}
{{- toYaml $written -}}
{{- end -}}

{{/* The same without what is no section, and is refused: nothing can be read of it. */}}
{{- define "model-gateway.said" -}}
{{- $said := fromYaml (include "model-gateway.written" .) -}}
{{- range list "limits" "streams" "admin" "tracing" "platforms" -}}
{{- if not (kindIs "map" (get $said .)) -}}{{- $_ := unset $said . -}}{{- end -}}
{{- end -}}
{{- $apps := list -}}
{{- range (kindIs "slice" $said.apps | ternary $said.apps list) -}}{{- if kindIs "map" . -}}{{- $apps = append $apps . -}}{{- end -}}{{- end -}}
{{- if hasKey $said "apps" -}}{{- $_ := set $said "apps" $apps -}}{{- end -}}
{{- toYaml $said -}}
{{- end -}}

{{/* Whether a streamed answer may be cut by a stop. */}}
{{- define "model-gateway.streams" -}}
{{- $said := fromYaml (include "model-gateway.said" .) -}}
{{- $on := eq (toString $said.streaming) "true" -}}
{{- range $said.apps -}}{{- if eq (toString .streaming) "true" -}}{{- $on = true -}}{{- end -}}{{- end -}}
{{- $on -}}
{{- end -}}

{{/* Milliseconds of a stop, as the configuration has them or the chart sets them. */}}
{{- define "model-gateway.stopDelayMs" -}}
{{- $said := fromYaml (include "model-gateway.said" .) -}}
{{- dig "limits" "stopDelayMs" 10000 $said | int64 -}}
{{- end -}}
{{- define "model-gateway.totalMs" -}}
{{- $said := fromYaml (include "model-gateway.said" .) -}}
{{- dig "streams" "totalMs" 300000 $said | int64 -}}
{{- end -}}
{{- define "model-gateway.stopMs" -}}
{{- $said := fromYaml (include "model-gateway.said" .) -}}
{{- $stopMs := 25000 -}}
{{- if eq (include "model-gateway.streams" .) "true" -}}{{- $stopMs = include "model-gateway.totalMs" . | int64 | max 25000 -}}{{- end -}}
{{- dig "limits" "stopMs" $stopMs $said | int64 -}}
{{- end -}}

{{/* Seconds that a stop may take, and those that the pod gets. */}}
{{- define "model-gateway.stopSeconds" -}}
{{- $ms := add (include "model-gateway.stopDelayMs" .) (include "model-gateway.stopMs" .) 4000 -}}
{{- div (add $ms 999) 1000 -}}
{{- end -}}
{{- define "model-gateway.graceSeconds" -}}
{{- $own := .Values.terminationGracePeriodSeconds -}}
{{- if kindIs "invalid" $own -}}{{- add (include "model-gateway.stopSeconds" .) 6 -}}{{- else -}}{{- int64 $own -}}{{- end -}}
{{- end -}}

{{/* The configuration that the service reads. */}}
{{- define "model-gateway.config" -}}
{{- $config := fromYaml (include "model-gateway.said" .) -}}
{{- $name := include "model-gateway.name" . -}}
{{- $admin := $config.admin | default dict -}}
{{- $hosts := $admin.hosts | default list -}}
{{- range list "" ".svc" ".svc.cluster.local" -}}{{- $hosts = append $hosts (printf "%s-admin.%s%s" $name $.Release.Namespace .) -}}{{- end -}}
{{- $admin = merge (dict "host" "0.0.0.0" "port" 8788 "hosts" (uniq $hosts)) $admin -}}
{{- $limits := merge (dict "stopDelayMs" (include "model-gateway.stopDelayMs" . | int64) "stopMs" (include "model-gateway.stopMs" . | int64)) ($config.limits | default dict) (dict "bodyBytesInFlight" 33554432) -}}
{{- $own := dict "listen" (dict "host" "0.0.0.0" "port" 8787) "admin" $admin "limits" $limits -}}
{{- with .Values.store -}}
{{- if and (eq .kind "postgres") .host -}}
{{- $tls := printf "sslmode=%s" .sslmode -}}
{{- if or .authority.existingSecret .authority.existingConfigMap -}}{{- $tls = printf "%s&sslrootcert=/run/secrets/model-gateway-authority/ca.crt" $tls -}}{{- end -}}
{{- $_ := set $own "store" (printf "postgres://%s:${DATABASE_PASSWORD}@%s:%d/%s?%s" .user .host (int .port) .database $tls) -}}
{{- end -}}
{{- end -}}
{{- $host := "" -}}
{{- if .Values.ingress.enabled -}}{{- $host = .Values.ingress.host -}}{{- end -}}
{{- if .Values.httpRoute.enabled -}}{{- $host = first .Values.httpRoute.hostnames -}}{{- end -}}
{{- if and $host (not (hasPrefix "*" $host)) (not $config.publicUrl) -}}{{- $_ := set $own "publicUrl" (printf "https://%s" $host) -}}{{- end -}}
{{- toYaml (merge $own (omit $config "listen" "admin" "limits")) -}}
{{- end -}}
