import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'

const Service = z.looseObject({
  volumes: z.array(z.string()),
  deploy: z.object({ replicas: z.number() }).optional(),
})
const Compose = z.object({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.null()) })

const servicesOf = (file: string) => Compose.parse(parse(readFileSync(file, 'utf8')))
const alone = servicesOf('compose.yaml')
const several = servicesOf('docs/deploy/compose.postgres.yaml')

test('a replica may do no more than the process that is alone', () => {
  const keys = [
    'read_only',
    'tmpfs',
    'cap_drop',
    'security_opt',
    'pids_limit',
    'init',
    'stop_grace_period',
    'logging',
  ]
  const { bluepencil } = several.services
  expect(bluepencil?.deploy).toEqual({ replicas: 3 })
  for (const key of keys) {
    expect({ [key]: bluepencil?.[key] }).toEqual({ [key]: alone.services.bluepencil?.[key] })
    expect(bluepencil).toHaveProperty(key)
  }
})

test('compose.yaml needs nothing beside it but the checkout, and only this machine reaches it', () => {
  const { bluepencil } = alone.services
  expect(Object.keys(alone.services)).toEqual(['bluepencil'])
  expect(bluepencil).not.toHaveProperty('env_file')
  expect(bluepencil).not.toHaveProperty('environment')
  expect(bluepencil).toMatchObject({
    volumes: ['data:/data'],
    ports: ['127.0.0.1:8080:8080', '127.0.0.1:8081:8081'],
  })
})

test('what compose.yaml has as comments is right when it is taken out of them', () => {
  // Prose ends in a full stop or a colon, or has a command; the rest is YAML.
  const text = readFileSync('compose.yaml', 'utf8')
  const whole = text.replace(
    /^( *)# (?!docker|Nothing|Each|Passes|Ten|Deliveries|The console|A conf|TLS)/gm,
    '$1',
  )
  const { services, volumes } = Compose.parse(parse(whole))
  expect(Object.keys(volumes)).toEqual(['data', 'certificates'])
  expect(services.bluepencil?.volumes).toEqual(['data:/data', './config:/config:ro'])
  expect(services.proxy).toMatchObject({ configs: [{ source: 'caddy', target: '/etc/caddy/Caddyfile' }] })
  const { configs } = z
    .object({ configs: z.looseObject({ caddy: z.object({ content: z.string() }) }) })
    .parse(parse(whole))
  expect(configs.caddy.content).toContain('reverse_proxy bluepencil:8080')
})

test('only the proxy is asked from outside, and what is kept is in volumes that are there', () => {
  const published = Object.entries(several.services).filter(([, { ports }]) => ports !== undefined)
  expect(published.map(([name]) => name)).toEqual(['proxy'])
  const sources = Object.values(several.services).flatMap(({ volumes }) =>
    volumes.map((volume) => volume.split(':')[0] ?? ''),
  )
  const missing = sources.filter((source) =>
    source.startsWith('./') ? !existsSync(join('.', source)) : !Object.hasOwn(several.volumes, source),
  )
  expect(missing).toEqual([])
})
