{{/* Parts that the pods of the chart share. All pods satisfy the restricted pod security standard. */}}

{{/* Security of a pod. Usage: include "suite.podSecurity" 1000 */}}
{{- define "suite.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "suite.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Image of a process. Usage: include "suite.image" (list $ "crm") */}}
{{- define "suite.image" -}}
{{- $root := index . 0 -}}
{{- with $root.Values.image.registry -}}{{ trimSuffix "/" . }}/{{- end -}}
suite-{{ index . 1 }}:{{ $root.Values.image.tag | default $root.Chart.AppVersion }}
{{- end -}}

{{/* Pods of a component on different machines and in different zones, if there are several. Usage: as suite.selector */}}
{{- define "suite.spread" -}}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{- include "suite.selector" $ | nindent 6 }}
{{- end }}
{{- end -}}

{{/* Placement of the pods of a process. Usage: include "suite.placement" $process.config */}}
{{- define "suite.placement" -}}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{- define "suite.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* The addresses of NATS. */}}
{{- define "suite.nats" -}}
{{- if not .Values.nats.enabled -}}
{{- .Values.nats.url -}}
{{- else -}}
{{- $name := include "suite.name" (list . "nats") -}}
{{- $urls := list -}}
{{- range $at := until (int .Values.nats.replicas) -}}
{{- $urls = append $urls (printf "nats://%s-%d.%s:4222" $name $at $name) -}}
{{- end -}}
{{- join "," $urls -}}
{{- end -}}
{{- end -}}

{{/* Environment of a process. Usage: include "suite.environment" (list $ $process) */}}
{{- define "suite.environment" -}}
{{- $root := index . 0 -}}
{{- $process := index . 1 -}}
- {name: HOST, value: 0.0.0.0}
- {name: OPERATIONS_PORT, value: {{ $process.ports.operations | quote }}}
- {name: KEYS_DIR, value: /keys}
- {name: NATS_URL, value: {{ include "suite.nats" $root | quote }}}
- {name: NATS_CREDENTIALS, value: /keys/nats.credentials}
- {name: PUBLIC_URL, value: {{ $root.Values.publicUrl | quote }}}
{{- if hasKey $process "database" }}
- {name: HTTP_PORT, value: {{ $process.ports.http | quote }}}
- {name: GRPC_PORT, value: {{ $process.ports.grpc | quote }}}
{{- include "suite.databaseEnvironment" . }}
- {name: FILES_DIR, value: {{ ternary "/tmp/files" "/files" (hasKey $process.settings "FILES_S3_BUCKET") }}}
{{- with include "suite.filesSecret" . }}
{{- $secret := . }}
{{- range list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY" }}
- name: {{ . }}
  valueFrom:
    secretKeyRef: {name: {{ $secret }}, key: {{ . }}}
{{- end }}
{{- end }}
{{- if not (hasKey $process.settings "SMTP_URL") }}
- {name: MAIL_DIR, value: /tmp/mail}
{{- end }}
{{- if $root.Values.nats.enabled }}
- {name: NATS_REPLICAS, value: {{ $root.Values.nats.replicas | quote }}}
{{- end }}
{{- else }}
- {name: PORT, value: {{ $process.ports.http | quote }}}
{{- end }}
{{- range $process.forwards }}
- {name: UPSTREAM_{{ upper . }}, value: "http://{{ include "suite.name" (list $root .) }}:{{ include "suite.port" (list $root . "http") }}"}
{{- end }}
{{- range $process.calls }}
- {name: RPC_{{ upper . }}, value: "{{ include "suite.name" (list $root .) }}:{{ include "suite.port" (list $root . "grpc") }}"}
{{- end }}
{{- range $name, $value := $process.settings }}
{{- if kindIs "map" $value }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: {name: {{ include "suite.secret" (list $root $value.secret) }}, key: {{ $value.key }}}
{{- else }}
- {name: {{ $name }}, value: {{ include "suite.text" $value | quote }}}
{{- end }}
{{- end }}
{{- end -}}

{{/* Addresses of the database of a service. Usage: include "suite.databaseEnvironment" (list $ $process) */}}
{{- define "suite.databaseEnvironment" -}}
{{- $root := index . 0 -}}
{{- $process := index . 1 -}}
{{- $secret := include "suite.databaseSecret" . }}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef: {name: {{ $secret }}, key: DATABASE_URL}
{{- range list "DATABASE_DIRECT_URL" "DATABASE_REQUESTS_URL" }}
- name: {{ . }}
  valueFrom:
    secretKeyRef: {name: {{ $secret }}, key: {{ . }}, optional: true}
{{- end }}
{{- end -}}
