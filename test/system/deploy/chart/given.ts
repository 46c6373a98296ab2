import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

const chart = new URL('../../../../docs/deploy/helm/bluepencil/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, chart), 'utf8')

const usual = {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as Bluepencil has variables
  config: 'store: postgres://bluepencil:${DATABASE_PASSWORD}@db.example/bluepencil\noperators: ["ai-desk"]\n',
  secretName: 'bluepencil-secrets',
}

const everything = {
  ...usual,
  image: { repository: 'registry.example/bluepencil', tag: '1.2.3', pullPolicy: 'Always' },
  imagePullSecrets: [{ name: 'registry' }],
  replicas: 5,
  databaseCaSecret: 'database-authority',
  maxUnavailable: 2,
  networkPolicy: {
    enabled: true,
    from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
    egressPorts: [443, 6432],
  },
  nodeSelector: { zone: 'a' },
  tolerations: [{ key: 'desk', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { a: 'b' } } },
      ],
    },
  },
  podAnnotations: { 'prometheus.io/scrape': true },
}

/** By name, what somebody who installs the chart gives beside its own values. */
const valueFiles: Record<string, object> = { usual, everything, refused: {} }

/** SHA-256 of all files of the chart: what was rendered of another chart is out of date. */
export function hashOfChart(): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(chart, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (/\.(yaml|tpl)$/.test(name)) hash.update(`${name}\n${read(name)}`)
  }
  return hash.digest('hex')
}

if (import.meta.main) {
  const [, , name = 'usual'] = process.argv
  const { appVersion, name: chartName, version } = parse(read('Chart.yaml'))
  const values = { ...parse(read('values.yaml')), ...valueFiles[name] }
  const text = JSON.stringify({
    Values: values,
    Release: { Name: 'desk', Namespace: 'news', Service: 'Helm' },
    Chart: { AppVersion: appVersion, Name: chartName, Version: version },
  })
  process.stdout.write(name === 'hash' ? `${hashOfChart()}\n` : text)
}
