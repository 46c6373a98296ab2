import { readFileSync } from 'node:fs'
import { Deployment } from 'kubernetes-models/apps/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Service } from 'kubernetes-models/v1'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { hashOfChart } from '../../system/deploy/chart/given.ts'

const rendered = (name: string) =>
  readFileSync(new URL(`../../system/deploy/chart/rendered/${name}`, import.meta.url), 'utf8')

/** Of each kind there is one. */
function documents(name: string) {
  const all = new Map(
    parseAllDocuments(rendered(name)).map((one) => {
      const document = one.toJS()
      return [String(document.kind), document]
    }),
  )
  const deployment = new Deployment(all.get('Deployment'))
  return {
    kinds: [...all.keys()].toSorted(),
    deployment,
    pod: deployment.spec?.template.spec,
    container: deployment.spec?.template.spec?.containers[0],
    configMap: new ConfigMap(all.get('ConfigMap')),
    service: new Service(all.get('Service')),
    budget: new PodDisruptionBudget(all.get('PodDisruptionBudget')),
    network: new NetworkPolicy(all.get('NetworkPolicy')),
  }
}

test('what was rendered is of the chart as it is', () => {
  expect(rendered('of.txt').trim(), 'run test/system/deploy/chart/chart.sh').toBe(hashOfChart())
})

test.each(['usual.yaml', 'everything.yaml'])('each document of %s is as Kubernetes has it', (name) => {
  const { kinds, deployment, configMap, service, budget, network } = documents(name)
  expect(kinds).toEqual(['ConfigMap', 'Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Service'])
  for (const manifest of [deployment, configMap, service, budget, network]) manifest.validate()
})

test('a document that Kubernetes would refuse is found', () => {
  const text = rendered('usual.yaml').replace('containerPort: 8080', 'containerPort: http')
  const [, wrong] = parseAllDocuments(text).map((one) => one.toJS())
  expect(wrong.kind).toBe('Deployment')
  expect(() => new Deployment(wrong).validate()).toThrow('containerPort must be integer')
})

test('a pod is not root, writes nothing but in its own empty folders, and may ask Kubernetes nothing', () => {
  const { pod, container } = documents('usual.yaml')
  expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
  expect(pod?.automountServiceAccountToken).toBe(false)
  expect(container?.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    privileged: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  const writable = container?.volumeMounts?.filter(({ readOnly }) => readOnly !== true)
  expect(writable?.map(({ mountPath }) => mountPath)).toEqual(['/tmp', '/data'])
})

test('secrets come from a Secret that is there, and stand in nothing that the chart makes', () => {
  const { pod, container, configMap } = documents('everything.yaml')
  expect(container?.envFrom).toEqual([{ secretRef: { name: 'bluepencil-secrets' } }])
  expect(pod?.volumes?.at(-1)?.secret?.secretName).toBe('database-authority')
  expect(configMap.data?.['bluepencil.yaml']).toContain('$' + '{DATABASE_PASSWORD}')
})

test('probes, and time to finish what is in flight', () => {
  const { pod, container } = documents('usual.yaml')
  const probes = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe]
  expect(probes.map((probe) => probe?.httpGet?.path)).toEqual(['/healthz', '/healthz', '/readyz'])
  expect(pod?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(5 + 10)
})

test('three replicas with one set of labels, and only one at a time may be away', () => {
  const { deployment, budget, network, service } = documents('usual.yaml')
  expect([deployment.spec?.replicas, budget.spec?.maxUnavailable]).toEqual([3, 1])
  for (const labels of [
    deployment.spec?.selector.matchLabels,
    budget.spec?.selector?.matchLabels,
    network.spec?.podSelector?.matchLabels,
    service.spec?.selector,
  ]) {
    expect(deployment.spec?.template.metadata?.labels).toMatchObject(labels ?? { none: 'found' })
  }
})

test('who may ask, and what is asked', () => {
  const { spec } = documents('usual.yaml').network
  expect(spec?.policyTypes).toEqual(['Ingress', 'Egress'])
  expect(spec?.ingress).toEqual([{ ports: [{ port: 'http', protocol: 'TCP' }] }])
  const [names, out] = spec?.egress ?? []
  expect(names?.ports?.map(({ port }) => port)).toEqual([53, 53])
  expect(out?.ports?.map(({ port }) => port)).toEqual([443, 5432, 465, 587])
  expect(out?.to?.[0]?.ipBlock?.except).toEqual(['169.254.0.0/16'])
  expect(documents('everything.yaml').network.spec?.ingress?.[0]?.from).toHaveLength(1)
})

test('another configuration makes other pods, and without one it is said what to give', () => {
  const annotations = documents('usual.yaml').deployment.spec?.template.metadata?.annotations
  expect(annotations?.['checksum/config']).toMatch(/^[0-9a-f]{64}$/)
  expect(rendered('refused.txt')).toContain('config: the whole of bluepencil.yaml')
})
