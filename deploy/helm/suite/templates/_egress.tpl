{{/* Egress rules that several network policies share. */}}

{{- define "suite.egressDns" -}}
# Names of other pods.
- to:
    - namespaceSelector:
        matchLabels: {kubernetes.io/metadata.name: {{ .Values.networkPolicy.dns.namespace }}}
      podSelector:
        matchLabels: {{- toYaml .Values.networkPolicy.dns.podLabels | nindent 10 }}
  ports:
    - {port: 53, protocol: UDP}
    - {port: 53, protocol: TCP}
{{- end -}}

{{- define "suite.egressNats" -}}
# Events.
- ports:
    - {port: {{ ternary 4222 .Values.networkPolicy.nats.port .Values.nats.enabled }}, protocol: TCP}
  {{- if .Values.nats.enabled }}
  to:
    - podSelector:
        matchLabels: {{- include "suite.selector" (list $ "nats" "nats") | nindent 10 }}
  {{- else }}
  {{- with .Values.networkPolicy.nats.to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
{{- end -}}

{{/* Usage: include "suite.egressPostgres" (list $ $process) */}}
{{- define "suite.egressPostgres" -}}
{{- $root := index . 0 -}}
{{- $process := index . 1 -}}
# The database.
- ports:
    {{- range ternary $root.Values.networkPolicy.postgres.ports (list 5432) (eq $root.Values.postgres.kind "external") }}
    - {port: {{ . }}, protocol: TCP}
    {{- end }}
  {{- if eq $root.Values.postgres.kind "external" }}
  {{- with $root.Values.networkPolicy.postgres.to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- else if eq $root.Values.postgres.kind "single" }}
  to:
    - podSelector:
        matchLabels: {{- include "suite.selector" (list $root "postgres" "postgres") | nindent 10 }}
  {{- else }}
  to:
    - podSelector:
        matchLabels: {cnpg.io/cluster: {{ include "suite.cluster" . }}}
  {{- end }}
{{- end -}}
