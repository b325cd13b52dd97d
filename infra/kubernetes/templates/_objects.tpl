{{- /* The objects of a folder's YAML files, as one YAML array. */ -}}
{{- define "tranche.objectsOf" -}}
{{- $objects := list }}
{{- range $path, $bytes := .root.Files.Glob (printf "%s/*.yaml" .folder) }}
{{- if ne (base $path) "kustomization.yaml" }}
{{- range $text := splitList "\n---\n" (toString $bytes) }}
{{- $object := fromYaml $text }}
{{- if hasKey $object "Error" }}{{ fail (printf "%s: %s" $path $object.Error) }}{{ end }}
{{- $objects = append $objects $object }}
{{- end }}
{{- end }}
{{- end }}
{{- toYaml $objects }}
{{- end }}

{{- /* The settings that all processes share, as a YAML map: the lines NAME=value of settings.env, and those of values.yaml. */ -}}
{{- define "tranche.settings" -}}
{{- $settings := dict }}
{{- range $line := splitList "\n" (.Files.Get "base/settings.env") }}
{{- if and $line (not (hasPrefix "#" $line)) }}
{{- $parts := regexSplit "=" $line 2 }}
{{- $_ := set $settings (first $parts) (last $parts) }}
{{- end }}
{{- end }}
{{- toYaml (mergeOverwrite $settings .Values.settings) }}
{{- end }}
