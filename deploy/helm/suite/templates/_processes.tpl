{{/* The processes of the suite: the table of files/services.yaml with the values of each. */}}

{{/* Name of an object. Usage: include "suite.name" (list $ "crm") */}}
{{- define "suite.name" -}}
{{- $root := index . 0 -}}
{{- printf "%s-%s" $root.Release.Name (index . 1) -}}
{{- end -}}

{{/* Labels that select the pods of a component. Usage: include "suite.selector" (list $ "suite" "crm") */}}
{{- define "suite.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ index . 1 }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 2 }}
{{- end -}}

{{/* Labels of every object of a component. Usage: include "suite.labels" (list $ "suite" "crm") */}}
{{- define "suite.labels" -}}
{{- $root := index . 0 -}}
{{ include "suite.selector" . }}
app.kubernetes.io/part-of: suite
app.kubernetes.io/version: {{ $root.Values.image.tag | default $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version }}
{{- end -}}

{{/*
Every process as YAML, under the key `processes`: its row of the table, `config` (the values of `process` and of
`processes.<name>`), `settings` (the merged settings) and `callers` (the services that call it over gRPC).
*/}}
{{- define "suite.processes" -}}
{{- $root := . -}}
{{- $table := (.Files.Get "files/services.yaml" | fromYaml).processes -}}
{{- $rows := list -}}
{{- range $row := $table -}}
{{- $own := index $root.Values.processes $row.name | default dict -}}
{{- $config := mergeOverwrite (deepCopy $root.Values.process) (deepCopy $own) -}}
{{- $group := ternary $root.Values.settings.services $root.Values.settings.gateway (hasKey $row "database") -}}
{{- $settings := mergeOverwrite (deepCopy $root.Values.settings.processes) (deepCopy $group) (deepCopy ($own.settings | default dict)) -}}
{{- $callers := list -}}
{{- range $other := $table -}}
{{- if has $row.name $other.calls -}}{{- $callers = append $callers $other.name -}}{{- end -}}
{{- end -}}
{{- $rows = append $rows (merge (dict "config" $config "settings" $settings "callers" $callers) $row) -}}
{{- end -}}
{{- dict "processes" $rows | toYaml -}}
{{- end -}}

{{/* Port of a process. Usage: include "suite.port" (list $ "crm" "grpc") */}}
{{- define "suite.port" -}}
{{- $name := index . 1 -}}
{{- $port := index . 2 -}}
{{- range (index . 0).Files.Get "files/services.yaml" | fromYaml | dig "processes" list -}}
{{- if eq .name $name -}}{{- index .ports $port -}}{{- end -}}
{{- end -}}
{{- end -}}

{{/* The processes that have a database. */}}
{{- define "suite.services" -}}
{{- $rows := list -}}
{{- range (include "suite.processes" . | fromYaml).processes -}}
{{- if hasKey . "database" -}}{{- $rows = append $rows . -}}{{- end -}}
{{- end -}}
{{- dict "services" $rows | toYaml -}}
{{- end -}}

{{/* Name of the Secret with the database in which gateways count requests, or nothing. */}}
{{- define "suite.rateLimitsSecret" -}}
{{- range (include "suite.processes" . | fromYaml).processes -}}
{{- if not (hasKey . "database") -}}
{{- with index .settings "RATE_LIMIT_DATABASE_URL" -}}{{- include "suite.secret" (list $ .secret) -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The largest number of pods of a process. Usage: include "suite.most" $process.config */}}
{{- define "suite.most" -}}
{{- ternary .autoscaling.maxReplicas .replicas .autoscaling.enabled -}}
{{- end -}}

{{/* A value as text. YAML numbers are floats, which print as 1e+06. */}}
{{- define "suite.text" -}}
{{- if kindIs "float64" . -}}{{- int64 . -}}{{- else -}}{{- . -}}{{- end -}}
{{- end -}}

{{/*
Database connections of the processes at their largest, with one more pod each during an update.
Usage: include "suite.connections" $processes
*/}}
{{- define "suite.connections" -}}
{{- $sum := 20 -}}
{{- range . -}}
{{- $pods := add (include "suite.most" .config) 1 -}}
{{- /* Internal work of a service uses 4 connections, and a gateway that counts requests also. */ -}}
{{- $requests := ternary (index .settings "DATABASE_CONNECTIONS" | default 8 | int) 0 (hasKey . "database") -}}
{{- $sum = add $sum (mul $pods (add $requests 4)) -}}
{{- end -}}
{{- $sum -}}
{{- end -}}
