{{/*
The Secrets that must exist, under the key `secrets`: the name of each, with its keys. Another program creates them, such
as `node deploy/docker/keys.ts --kubernetes`.
*/}}
{{- define "suite.secrets" -}}
{{- $all := (include "suite.processes" . | fromYaml).processes -}}
{{- $isCluster := hasPrefix "cluster" .Values.postgres.kind -}}
{{- $secrets := dict -}}
{{- range $process := $all -}}
{{- $keys := list "private.pem" "nats.credentials" -}}
{{- range .config.masterKeys -}}{{- $keys = append $keys (printf "master-%s.key" .) -}}{{- end -}}
{{- range $all -}}{{- $keys = append $keys (printf "trusted-%s.pem" .name) -}}{{- end -}}
{{- $_ := set $secrets (include "suite.keysSecret" (list $ $process)) $keys -}}
{{- if hasKey . "database" -}}
{{- $name := include "suite.databaseSecret" (list $ $process) -}}
{{- $_ := set $secrets $name (ternary (list "DATABASE_URL") (list "DATABASE_URL" "username" "password") (eq $.Values.postgres.kind "external")) -}}
{{- if $isCluster -}}{{- $_ := set $secrets (printf "%s-requests" $name) (list "username" "password") -}}{{- end -}}
{{- end -}}
{{- with include "suite.filesSecret" (list $ $process) -}}
{{- $_ := set $secrets . (list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY") -}}
{{- end -}}
{{- range .settings -}}
{{- if kindIs "map" . -}}
{{- $name := include "suite.secret" (list $ .secret) -}}
{{- $_ := set $secrets $name (append (index $secrets $name | default list) .key | uniq) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if .Values.nats.enabled -}}
{{- $keys := ternary (list "users.conf" "cluster.conf") (list "users.conf") (gt (int .Values.nats.replicas) 1) -}}
{{- $_ := set $secrets (include "suite.natsUsersSecret" .) $keys -}}
{{- end -}}
{{- if ne .Values.postgres.kind "external" -}}
{{- range (include "suite.servers" . | fromYaml).servers -}}
{{- $_ := set $secrets (printf "%s-superuser" .name) (list "username" "password") -}}
{{- end -}}
{{- end -}}
{{- if and $isCluster .Values.postgres.backup.enabled -}}
{{- $_ := set $secrets (include "suite.secret" (list . .Values.postgres.backup.secret)) (list "ACCESS_KEY_ID" "ACCESS_SECRET_KEY") -}}
{{- end -}}
{{- if and $isCluster (include "suite.rateLimitsSecret" .) -}}
{{- $name := include "suite.rateLimitsSecret" . -}}
{{- $_ := set $secrets $name (concat (index $secrets $name) (list "username" "password") | uniq) -}}
{{- end -}}
{{- $rows := list -}}
{{- range $name, $keys := $secrets -}}{{- $rows = append $rows (dict "name" $name "keys" $keys) -}}{{- end -}}
{{- dict "secrets" $rows | toYaml -}}
{{- end -}}

{{/* Resolves the name of a Secret in values, in which {{ .Release.Name }} is replaced. Usage: include "suite.secret" (list $ $name) */}}
{{- define "suite.secret" -}}
{{- tpl (index . 1) (index . 0) -}}
{{- end -}}

{{/* Name of the Secret with the keys of a process. Usage: include "suite.keysSecret" (list $ $process) */}}
{{- define "suite.keysSecret" -}}
{{- $root := index . 0 -}}
{{- $process := index . 1 -}}
{{- include "suite.secret" (list $root ($process.config.keysSecret | default (include "suite.name" (list $root (printf "%s-keys" $process.name))))) -}}
{{- end -}}

{{/* Name of the Secret with the database of a service. Usage: include "suite.databaseSecret" (list $ $process) */}}
{{- define "suite.databaseSecret" -}}
{{- $root := index . 0 -}}
{{- $process := index . 1 -}}
{{- include "suite.secret" (list $root ($process.config.databaseSecret | default (include "suite.name" (list $root (printf "%s-database" $process.name))))) -}}
{{- end -}}

{{/* Name of the Secret with the users of NATS. */}}
{{- define "suite.natsUsersSecret" -}}
{{- include "suite.secret" (list . (.Values.nats.usersSecret | default (include "suite.name" (list . "nats-users")))) -}}
{{- end -}}

{{/* Name of the Secret with the credentials of the bucket for the files of a service, or nothing. Usage: include "suite.filesSecret" (list $ $process) */}}
{{- define "suite.filesSecret" -}}
{{- $root := index . 0 -}}
{{- if hasKey (index . 1).settings "FILES_S3_BUCKET" -}}{{- include "suite.secret" (list $root $root.Values.files.s3.secret) -}}{{- end -}}
{{- end -}}

{{/*
One sentence for each Secret and key that does not exist, under the key `missing`. Empty without a cluster, as in
`helm template`: the look-up then finds nothing.
*/}}
{{- define "suite.missingSecrets" -}}
{{- $namespace := .Release.Namespace -}}
{{- $missing := list -}}
{{- if and (not .Values.externalSecrets.enabled) (lookup "v1" "ServiceAccount" $namespace "default") -}}
{{- range (include "suite.secrets" . | fromYaml).secrets -}}
{{- $name := .name -}}
{{- $secret := lookup "v1" "Secret" $namespace $name -}}
{{- if not $secret -}}
{{- $missing = append $missing (printf "The Secret %s does not exist in the namespace %s." $name $namespace) -}}
{{- else -}}
{{- range .keys -}}
{{- if not (hasKey ($secret.data | default dict) .) -}}
{{- $missing = append $missing (printf "The Secret %s in the namespace %s has no key %s." $name $namespace .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- dict "missing" $missing | toYaml -}}
{{- end -}}
