{{- /* Changes an object as values.yaml says. */ -}}
{{- define "tranche.change" -}}
{{- $object := .object }}
{{- $root := .root }}
{{- $values := .root.Values }}
{{- $name := printf "%s/%s" $object.kind $object.metadata.name }}
{{- $labels := default dict $object.metadata.labels }}
{{- $_ := set $object.metadata "labels" (merge (dict "app.kubernetes.io/part-of" "tranche") $labels) }}
{{- if eq $object.kind "Deployment" }}
  {{- $process := include "tranche.process" (dict "pod" $object.spec.template "root" $root) }}
  {{- with (get $values.processes $process).replicas }}
    {{- if ne $object.metadata.name "tranche-restore" }}{{ $_ := set $object.spec "replicas" (int .) }}{{ end }}
  {{- end }}
{{- else if eq $object.kind "CronJob" }}
  {{- $_ := include "tranche.process" (dict "pod" $object.spec.jobTemplate.spec.template "root" $root) }}
{{- end }}
{{- if eq $name "HorizontalPodAutoscaler/tranche-api" }}
  {{- $_ := set $object.spec "minReplicas" (int $values.autoscaling.minReplicas) }}
  {{- $_ := set $object.spec "maxReplicas" (int $values.autoscaling.maxReplicas) }}
{{- else if eq $name "ScaledObject/tranche-indexer" }}
  {{- $_ := set $object.spec "minReplicaCount" (int $values.queueAutoscaling.minReplicas) }}
  {{- $_ := set $object.spec "maxReplicaCount" (int $values.queueAutoscaling.maxReplicas) }}
  {{- $trigger := (first $object.spec.triggers).metadata }}
  {{- $_ := set $trigger "serverAddress" $values.queueAutoscaling.prometheusUrl }}
  {{- $own := get (include "tranche.settings" $root | fromYaml) "TRANCHE_NAMESPACE" }}
  {{- $query := $trigger.query | replace ",tranche_namespace=\"tranche\"" (printf ",tranche_namespace=%q" $own) }}
  {{- $_ := set $trigger "query" ($query | replace "{namespace=\"tranche\"" (printf "{namespace=%q" $root.Release.Namespace)) }}
{{- else if eq $name "CronJob/tranche-verify" }}
  {{- $_ := set $object.spec "schedule" $values.verification.schedule }}
  {{- $_ := set $object.spec "suspend" (not $values.verification.enabled) }}
{{- else if eq $name "CronJob/tranche-backup" }}
  {{- $_ := set $object.spec "schedule" $values.backups.schedule }}
  {{- $container := first $object.spec.jobTemplate.spec.template.spec.containers }}
  {{- $_ := set $container "args" (list "ops" "backup" "--keep" (toString $values.backups.keep) "/backups") }}
{{- else if eq $name "PersistentVolumeClaim/tranche-backups" }}
  {{- $_ := set $object.spec.resources.requests "storage" $values.backups.size }}
  {{- with $values.backups.storageClassName }}{{ $_ := set $object.spec "storageClassName" . }}{{ end }}
{{- else if eq $name "Ingress/tranche" }}
  {{- with $values.ingress.className }}{{ $_ := set $object.spec "ingressClassName" . }}{{ end }}
  {{- with $values.ingress.annotations }}{{ $_ := set $object.metadata "annotations" . }}{{ end }}
  {{- $_ := set (index $object.spec.rules 0) "host" $values.ingress.apiHost }}
  {{- $_ := set (index $object.spec.rules 1) "host" $values.ingress.dashboardHost }}
  {{- $tls := dict "hosts" (list $values.ingress.apiHost $values.ingress.dashboardHost) "secretName" $values.ingress.tlsSecretName }}
  {{- $_ := set $object.spec "tls" (list $tls) }}
{{- else if eq $name "PodMonitor/tranche" }}
  {{- $_ := set $object.metadata "labels" (merge $object.metadata.labels $values.monitoring.labels) }}
{{- else if eq $name "PrometheusRule/tranche" }}
  {{- $_ := set $object.metadata "labels" (merge $object.metadata.labels $values.monitoring.labels) }}
  {{- range $group := $object.spec.groups }}{{ range $rule := $group.rules }}
    {{- $_ := set $rule.annotations "runbook_url" (printf "%s%s" $values.monitoring.runbookPrefix $rule.annotations.runbook_url) }}
  {{- end }}{{ end }}
{{- else if eq $name "NetworkPolicy/tranche-engines" }}
  {{- $engines := index $object.spec.egress 1 }}
  {{- with $values.engines.peers }}{{ $_ := set $engines "to" . }}{{ end }}
  {{- with $values.engines.ports }}
    {{- $ports := list }}{{ range . }}{{ $ports = append $ports (dict "port" (int .)) }}{{ end }}
    {{- $_ := set $engines "ports" $ports }}
  {{- end }}
{{- end }}
{{- end }}

{{- /* Changes the pod of a process, and gives the name of the process. */ -}}
{{- define "tranche.process" -}}
{{- $pod := .pod }}
{{- $root := .root }}
{{- $values := .root.Values }}
{{- $name := trimPrefix "tranche-" $pod.spec.serviceAccountName }}
{{- $process := get $values.processes $name }}
{{- $container := first $pod.spec.containers }}
{{- $repository := required "image.repository is empty: name the repository of your image, such as registry.example.com/tranche" $values.image.repository }}
{{- $_ := set $container "image" (printf "%s:%s" $repository (coalesce $process.tag $values.image.tag $root.Chart.AppVersion)) }}
{{- with $process.resources }}{{ $_ := set $container "resources" . }}{{ end }}
{{- /* A setting of the process replaces one of base/. */ -}}
{{- $own := default dict $process.env }}
{{- $env := list }}
{{- range (default list $container.env) }}{{ if not (hasKey $own .name) }}{{ $env = append $env . }}{{ end }}{{ end }}
{{- range $key, $value := $own }}{{ $env = append $env (dict "name" $key "value" $value) }}{{ end }}
{{- $_ := set $container "env" $env }}
{{- /* Pods read their settings once, at their start: a changed one has to replace them. */ -}}
{{- $_ := set $pod.metadata "annotations" (dict "checksum/settings" (include "tranche.settings" $root | sha256sum)) }}
{{- $_ := set $pod "spec" (mergeOverwrite $pod.spec (deepCopy $values.podSpec) (deepCopy (default dict $process.podSpec))) }}
{{- $name }}
{{- end }}
