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
