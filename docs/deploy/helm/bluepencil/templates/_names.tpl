{{- define "bluepencil.name" -}}
{{ printf "%s-bluepencil" .Release.Name | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "bluepencil.selector" -}}
app.kubernetes.io/name: bluepencil
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "bluepencil.labels" -}}
{{ include "bluepencil.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
{{- end }}
