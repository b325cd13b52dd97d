{{- /*
Fails where a Secret or one of its keys is missing, with all of them. Which ones is read from the objects: each setting that names a file
under /run/secrets/tranche. `helm template` and clusters that do not answer are not asked: there the default ServiceAccount is not found.
*/ -}}
{{- define "tranche.requireSecrets" -}}
{{- $namespace := .Release.Namespace }}
{{- if lookup "v1" "ServiceAccount" $namespace "default" }}
{{- $problems := list }}
{{- $shared := values (include "tranche.settings" . | fromYaml) }}
{{- range $object := (include "tranche.objectsOf" (dict "folder" "base" "root" .) | fromYamlArray) }}
{{- if eq $object.kind "Deployment" }}
{{- $pod := $object.spec.template }}
{{- $secret := (first $pod.spec.volumes).secret.secretName }}
{{- $found := lookup "v1" "Secret" $namespace $secret }}
{{- $keys := list }}
{{- $own := list }}
{{- range (first $pod.spec.containers).env }}{{ $own = append $own (default "" .value) }}{{ end }}
{{- range $value := concat $shared $own }}
{{- if hasPrefix "/run/secrets/tranche/" $value }}{{ $keys = append $keys (base $value) }}{{ end }}
{{- end }}
{{- if not $found }}
{{- $problems = append $problems (printf "Secret %s, with %s" $secret (join ", " (sortAlpha $keys))) }}
{{- else }}
{{- range $key := sortAlpha $keys }}
{{- if not (get (default dict $found.data) $key) }}{{ $problems = append $problems (printf "%s in Secret %s" $key $secret) }}{{ end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- if $problems }}
{{- fail (printf "\n\nMissing in namespace %s:\n- %s\nMake them first: example/secrets.yaml of the chart's source shows what belongs into each.\n" $namespace (join "\n- " $problems)) }}
{{- end }}
{{- end }}
{{- end }}
