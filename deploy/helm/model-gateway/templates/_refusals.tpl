{{/* Everything that is wrong with the values and no schema can say: a sentence each. */}}
{{- define "model-gateway.refusals" -}}
{{- $wrong := list -}}
{{- $said := fromYaml (include "model-gateway.said" .) -}}
{{- with .Values.image -}}
{{- if not .repository -}}{{- $wrong = append $wrong "image.repository is empty: write where you have pushed the image, such as registry.acme.example/model-gateway" -}}{{- end -}}
{{- if not (or .tag .digest) -}}{{- $wrong = append $wrong "image.tag and image.digest are empty: write one of them, so that every pod runs the same" -}}{{- end -}}
{{- end -}}
{{- $wrong = concat $wrong (include "model-gateway.refusals.config" . | fromYamlArray) -}}
{{- if not (hasKey $said "Error") -}}
{{- $wrong = concat $wrong (include "model-gateway.refusals.stop" . | fromYamlArray) -}}
{{- end -}}
{{- $wrong = concat $wrong (include "model-gateway.refusals.store" . | fromYamlArray) (include "model-gateway.refusals.front" . | fromYamlArray) -}}
{{- if $wrong -}}{{- fail (printf "\n%s" (join "\n" $wrong)) -}}{{- end -}}
{{- end -}}

{{- define "model-gateway.refusals.config" -}}
{{- $wrong := list -}}
{{- $said := fromYaml (include "model-gateway.said" .) -}}
{{- if .Values.existingConfigMap -}}
{{- if .Values.config -}}{{- $wrong = append $wrong "config and existingConfigMap are both given: keep one of them" -}}{{- end -}}
{{- if kindIs "invalid" .Values.terminationGracePeriodSeconds -}}{{- $wrong = append $wrong "existingConfigMap hides its limits from the chart: write terminationGracePeriodSeconds, no less than its limits.stopDelayMs + limits.stopMs + 4 s" -}}{{- end -}}
{{- else if not .Values.config -}}{{- $wrong = append $wrong "config is empty: write company, platforms and apps there, or --set-file config=gateway.yaml" -}}
{{- else if hasKey $said "Error" -}}{{- $wrong = append $wrong (printf "config must be valid YAML: %s" (regexReplaceAll "\\s+" $said.Error " ")) -}}
{{- else -}}
{{- if hasKey $said "store" -}}{{- $wrong = append $wrong "config.store is the chart's: leave it out, and write the values store.kind and store.existingSecret" -}}{{- end -}}
{{- $written := fromYaml (include "model-gateway.written" $) -}}
{{- range list "limits" "streams" "admin" "tracing" "platforms" -}}
{{- if and (hasKey $written .) (not (kindIs "map" (get $written .))) -}}{{- $wrong = append $wrong (printf "config.%s has no keys: write them below it, or leave it out" .) -}}{{- end -}}
{{- end -}}
{{- if and (hasKey $written "apps") (ne (toJson $written.apps) (toJson $said.apps)) -}}{{- $wrong = append $wrong "config.apps must be a list of apps: write a line such as - { name: search, dailyBudgetUsd: \"5\" } for each" -}}{{- end -}}
{{- $otlp := dig "tracing" "otlp" "" $said -}}
{{- if and $otlp (not (regexMatch "^(https?://[^?#@\\s]+|\\$\\{\\w+\\})$" (toString $otlp))) -}}{{- $wrong = append $wrong (printf "config.tracing.otlp must be the URL of a collector that accepts OTLP over HTTP: write one such as http://collector.%s:4318" .Release.Namespace) -}}{{- end -}}
{{- end -}}
{{- range $name := list "MODEL_GATEWAY_CONFIG" "MODEL_GATEWAY_CONFIG_TEXT" "MODEL_GATEWAY_STORE" "MODEL_GATEWAY_KEYS" "MODEL_GATEWAY_LOG" "DATABASE_PASSWORD" "PORT" -}}
{{- if or (hasKey $.Values.env $name) (hasKey $.Values.env (printf "%s_FILE" $name)) (hasKey $.Values.secrets $name) -}}{{- $wrong = append $wrong (printf "%s is the chart's: leave it out of env and secrets, and write config, store, keyRing or logLevel" $name) -}}{{- end -}}
{{- end -}}
{{- range $name, $_ := .Values.secrets -}}
{{- if or (hasKey $.Values.env $name) (hasKey $.Values.env (printf "%s_FILE" $name)) -}}{{- $wrong = append $wrong (printf "%s is in env and in secrets: keep one of them" $name) -}}{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{- define "model-gateway.refusals.stop" -}}
{{- $wrong := list -}}
{{- $said := fromYaml (include "model-gateway.said" .) -}}
{{- $isKnown := true -}}
{{- range $at := list (list "limits" "stopDelayMs") (list "limits" "stopMs") (list "streams" "totalMs") -}}
{{- $value := dig (first $at) (last $at) 0 $said -}}
{{- $isWhole := kindIs "float64" $value | ternary (regexMatch "^\\d+$" (toJson $value)) (regexMatch "^\\d+$" (toString $value)) -}}
{{- if not $isWhole -}}{{- $isKnown = false -}}{{- $wrong = append $wrong (printf "config.%s must be a whole number: write milliseconds, from which the chart counts the time that a pod gets to stop" (join "." $at)) -}}{{- end -}}
{{- end -}}
{{- if and $isKnown (not .Values.existingConfigMap) -}}
{{- $needed := include "model-gateway.stopSeconds" . | int64 -}}
{{- $grace := include "model-gateway.graceSeconds" . | int64 -}}
{{- if lt $grace $needed -}}{{- $wrong = append $wrong (printf "terminationGracePeriodSeconds is %d, shorter than the stop: write %d or more (limits.stopDelayMs %s + limits.stopMs %s + 4000 ms), or leave it out" $grace $needed (include "model-gateway.stopDelayMs" .) (include "model-gateway.stopMs" .)) -}}{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{- define "model-gateway.refusals.store" -}}
{{- $wrong := list -}}
{{- $replicas := include "model-gateway.replicas" . | int64 -}}
{{- with .Values.store -}}
{{- if eq .kind "sqlite" -}}
{{- if ne $.Values.autoscaling.kind "none" -}}{{- $wrong = append $wrong "SQLite is one file of one process: write autoscaling.kind: none, or store.kind: postgres" -}}
{{- else if ne $replicas 1 -}}{{- $wrong = append $wrong (printf "SQLite is one file of one process, and replicas is %d: write replicas: 1, or store.kind: postgres with a store.existingSecret" $replicas) -}}{{- end -}}
{{- if or .existingSecret .host -}}{{- $wrong = append $wrong "store.existingSecret and store.host are of PostgreSQL, and store.kind is sqlite: leave them out, or write store.kind: postgres" -}}{{- end -}}
{{- else -}}
{{- if not .existingSecret -}}{{- $wrong = append $wrong (printf "store.existingSecret is empty: write the name of a Secret in %s whose key %s" $.Release.Namespace (ternary (printf "%s has the password of store.user" .passwordKey) (printf "%s has the URL of a PostgreSQL, postgres://user:password@host:5432/database?sslmode=verify-full" .urlKey) (ne .host ""))) -}}{{- end -}}
{{- if not $.Values.keyRing.existingSecret -}}{{- $wrong = append $wrong (printf "keyRing.existingSecret is empty: write the name of a Secret whose key %s has an id, a colon and what openssl rand -hex 32 prints" $.Values.keyRing.key) -}}{{- end -}}
{{- if and (eq .sslmode "disable") (not .allowClearText) -}}{{- $wrong = append $wrong "store.sslmode is disable, so traffic to the database would not be encrypted: write verify-full, with store.authority where its certificate is of your own authority, or store.allowClearText: true" -}}{{- end -}}
{{- if and .host $.Values.existingConfigMap -}}{{- $wrong = append $wrong "store.host is put into config, and existingConfigMap takes its place: leave store.host out, and write the whole URL into the Secret" -}}{{- end -}}
{{- end -}}
{{- if and .authority.existingSecret .authority.existingConfigMap -}}{{- $wrong = append $wrong "store.authority has a Secret and a ConfigMap: keep one of them" -}}{{- end -}}
{{- end -}}
{{- with .Values.autoscaling -}}
{{- if and (ne .kind "none") (lt (int64 .max) (int64 .min)) -}}{{- $wrong = append $wrong "autoscaling.max is less than autoscaling.min: write at least as many" -}}{{- end -}}
{{- if and (eq .kind "keda") (not (regexMatch "^https?://" .prometheus)) -}}{{- $wrong = append $wrong "autoscaling.prometheus must be a URL: write where KEDA finds Prometheus, such as http://prometheus.monitoring:9090" -}}{{- end -}}
{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}

{{- define "model-gateway.refusals.front" -}}
{{- $wrong := list -}}
{{- if and .Values.ingress.enabled .Values.httpRoute.enabled -}}{{- $wrong = append $wrong "ingress and httpRoute are both enabled: keep one of them" -}}{{- end -}}
{{- with .Values.ingress -}}
{{- if and .enabled (not .host) -}}{{- $wrong = append $wrong "ingress.host is empty: write the name that callers use, such as gateway.acme.example" -}}{{- end -}}
{{- if and .enabled (not .tls.existingSecret) -}}{{- $wrong = append $wrong "ingress.tls.existingSecret is empty, and keys would be sent in clear text: write the Secret that has the certificate of ingress.host" -}}{{- end -}}
{{- end -}}
{{- with .Values.httpRoute -}}
{{- if and .enabled (not .parentRefs) -}}{{- $wrong = append $wrong "httpRoute.parentRefs is empty: write the name, the namespace and the sectionName of a Gateway's listener that has TLS" -}}{{- end -}}
{{- if and .enabled (not .hostnames) -}}{{- $wrong = append $wrong "httpRoute.hostnames is empty: write the name that callers use, such as gateway.acme.example" -}}{{- end -}}
{{- range .parentRefs -}}{{- if not .sectionName -}}{{- $wrong = append $wrong (printf "httpRoute.parentRefs has no sectionName for %s, and keys could be sent in clear text: write that of its listener with TLS" .name) -}}{{- end -}}{{- end -}}
{{- end -}}
{{- if and .Values.monitoring.serviceMonitor.enabled .Values.networkPolicy.enabled (not .Values.networkPolicy.operatorNamespaces) -}}{{- $wrong = append $wrong "monitoring.serviceMonitor is enabled and no namespace may ask: write that of Prometheus into networkPolicy.operatorNamespaces" -}}{{- end -}}
{{- toYaml $wrong -}}
{{- end -}}
