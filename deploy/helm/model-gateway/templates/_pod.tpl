{{/* Secrets as files: the name of each variable, its Secret and the key in it. */}}
{{- define "model-gateway.secrets" -}}
{{- $files := dict -}}
{{- range $name, $from := .Values.secrets -}}{{- $_ := set $files $name $from -}}{{- end -}}
{{- with .Values.keyRing -}}{{- if .existingSecret -}}{{- $_ := set $files "MODEL_GATEWAY_KEYS" . -}}{{- end -}}{{- end -}}
{{- with .Values.store -}}
{{- if eq .kind "postgres" -}}
{{- if .host -}}{{- $_ := set $files "DATABASE_PASSWORD" (dict "existingSecret" .existingSecret "key" .passwordKey) -}}
{{- else -}}{{- $_ := set $files "MODEL_GATEWAY_STORE" (dict "existingSecret" .existingSecret "key" .urlKey) -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $files -}}
{{- end -}}

{{- define "model-gateway.volumeName" -}}
secret-{{ . | lower | replace "_" "-" }}
{{- end -}}

{{- define "model-gateway.pod" -}}
{{- $secrets := fromYaml (include "model-gateway.secrets" .) -}}
{{- $authority := .Values.store.authority -}}
{{- $grace := include "model-gateway.graceSeconds" . | int64 -}}
metadata:
  labels:
    {{- include "model-gateway.selector" . | nindent 4 }}
    {{- with .Values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  annotations:
    kubectl.kubernetes.io/default-container: gateway
    {{- if not .Values.existingConfigMap }}
    checksum/config: {{ include "model-gateway.config" . | sha256sum }}
    {{- end }}
    {{- with .Values.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  serviceAccountName: {{ include "model-gateway.serviceAccount" . }}
  automountServiceAccountToken: false
  # Variables of other services would be taken for ours.
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ $grace }}
  securityContext:
    runAsNonRoot: true
    {{- with .Values.user }}
    runAsUser: {{ . }}
    runAsGroup: {{ . }}
    fsGroup: {{ . }}
    fsGroupChangePolicy: OnRootMismatch
    {{- end }}
    seccompProfile: { type: RuntimeDefault }
  {{- with .Values.image.pullSecrets }}
  imagePullSecrets:
    {{- range . }}
    - name: {{ . }}
    {{- end }}
  {{- end }}
  containers:
    - name: gateway
      image: {{ include "model-gateway.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      env:
        - { name: MODEL_GATEWAY_CONFIG, value: /etc/model-gateway/gateway.yaml }
        - { name: MODEL_GATEWAY_LOG, value: {{ .Values.logLevel }} }
        {{- if eq .Values.store.kind "sqlite" }}
        - { name: MODEL_GATEWAY_STORE, value: "sqlite:/var/lib/model-gateway/gateway.db" }
        {{- end }}
        {{- range $name, $_ := $secrets }}
        - { name: {{ $name }}_FILE, value: /run/secrets/{{ $name }}/value }
        {{- end }}
        {{- range $name, $value := .Values.env }}
        - { name: {{ $name }}, value: {{ $value | quote }} }
        {{- end }}
      ports:
        - { name: http, containerPort: 8787 }
        - { name: admin, containerPort: 8788 }
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      startupProbe:
        httpGet: { path: /health, port: http }
        periodSeconds: 1
        timeoutSeconds: 1
        failureThreshold: {{ .Values.startupSeconds }}
      readinessProbe:
        httpGet: { path: /ready, port: admin }
        periodSeconds: 2
        timeoutSeconds: 3
        failureThreshold: 2
      # Longer than a stop, during which it answers 503.
      livenessProbe:
        httpGet: { path: /health, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: {{ add (div (add $grace 9) 10) 1 }}
      resources: {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - { name: config, mountPath: /etc/model-gateway, readOnly: true }
        - { name: tmp, mountPath: /tmp }
        {{- if eq .Values.store.kind "sqlite" }}
        - { name: data, mountPath: /var/lib/model-gateway }
        {{- end }}
        {{- range $name, $_ := $secrets }}
        - { name: {{ include "model-gateway.volumeName" $name }}, mountPath: /run/secrets/{{ $name }}, readOnly: true }
        {{- end }}
        {{- if or $authority.existingSecret $authority.existingConfigMap }}
        - { name: authority, mountPath: /run/secrets/model-gateway-authority, readOnly: true }
        {{- end }}
  volumes:
    - name: config
      configMap: { name: {{ .Values.existingConfigMap | default (include "model-gateway.name" .) }} }
    - name: tmp
      emptyDir: { sizeLimit: 256Mi }
    {{- range $name, $from := $secrets }}
    - name: {{ include "model-gateway.volumeName" $name }}
      secret:
        secretName: {{ $from.existingSecret }}
        defaultMode: 0440
        items: [{ key: {{ $from.key }}, path: value }]
    {{- end }}
    {{- with $authority.existingSecret }}
    - name: authority
      secret:
        secretName: {{ . }}
        defaultMode: 0440
        items: [{ key: {{ $authority.key }}, path: ca.crt }]
    {{- end }}
    {{- with $authority.existingConfigMap }}
    - name: authority
      configMap:
        name: {{ . }}
        items: [{ key: {{ $authority.key }}, path: ca.crt }]
    {{- end }}
    {{- if and (eq .Values.store.kind "sqlite") .Values.store.volume.existingClaim }}
    - name: data
      persistentVolumeClaim: { claimName: {{ .Values.store.volume.existingClaim }} }
    {{- end }}
  {{- if eq .Values.store.kind "postgres" }}
  topologySpreadConstraints:
    {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
    - maxSkew: 1
      topologyKey: {{ . }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{- include "model-gateway.selector" $ | nindent 10 }}
      matchLabelKeys: [pod-template-hash]
    {{- end }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
{{- end -}}
