{{/*
The PostgreSQL servers that the chart installs, under the key `servers`: the name of each, the services whose databases
it contains, and `clients`, the processes that connect to it. In the first server, gateways may count requests.
*/}}
{{- define "suite.servers" -}}
{{- $services := list -}}
{{- $gateways := list -}}
{{- range (include "suite.processes" . | fromYaml).processes -}}
{{- if hasKey . "database" -}}
{{- $services = append $services . -}}
{{- else if hasKey .settings "RATE_LIMIT_DATABASE_URL" -}}
{{- $gateways = append $gateways . -}}
{{- end -}}
{{- end -}}
{{- $servers := list -}}
{{- if eq .Values.postgres.kind "cluster-per-service" -}}
{{- range $at, $service := $services -}}
{{- $clients := ternary (prepend $gateways $service) (list $service) (eq $at 0) -}}
{{- $servers = append $servers (dict "name" (include "suite.cluster" (list $ $service)) "services" (list $service) "clients" $clients) -}}
{{- end -}}
{{- else -}}
{{- $servers = list (dict "name" (include "suite.name" (list . "postgres")) "services" $services "clients" (concat $services $gateways)) -}}
{{- end -}}
{{- dict "servers" $servers | toYaml -}}
{{- end -}}

{{/* Name of the PostgreSQL server of a process. Usage: include "suite.cluster" (list $ $process) */}}
{{- define "suite.cluster" -}}
{{- $root := index . 0 -}}
{{- $process := index . 1 -}}
{{- if ne $root.Values.postgres.kind "cluster-per-service" -}}
{{- include "suite.name" (list $root "postgres") -}}
{{- else if hasKey $process "database" -}}
{{- include "suite.name" (list $root (printf "%s-postgres" $process.name)) -}}
{{- else -}}
{{- include "suite.name" (list $root (printf "%s-postgres" (first (include "suite.services" $root | fromYaml).services).name)) -}}
{{- end -}}
{{- end -}}

{{/* Peers that connect to a PostgreSQL server. Usage: include "suite.databaseClients" (list $ $server) */}}
{{- define "suite.databaseClients" -}}
{{- $root := index . 0 -}}
{{- range (index . 1).clients }}
- podSelector:
    matchLabels: {{- include "suite.selector" (list $root "suite" .name) | nindent 6 }}
{{- end }}
- podSelector:
    matchLabels: {{- include "suite.selector" (list $root "databases" (index . 1).name) | nindent 6 }}
{{- end -}}
