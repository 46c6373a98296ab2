import { expect, test } from 'vitest'
import { effectiveConfig } from '../../../src/app/effective-config.ts'
import type { ChangedFilters } from '../../../src/people/converse/filters.ts'
import { configOf } from '../../support/app.ts'

const at = '2026-11-21T13:05:02.000Z'
const changed: ChangedFilters = {
  filters: { direction: 'rise', minDelta: 20 },
  file: { direction: 'both' },
  by: { name: 'Ana', via: 'console' },
  at,
}
const of = (name: string) => (name === 'desk' ? changed : undefined)
const file = (desk: object) =>
  configOf([
    { name: 'desk', type: 'slack', webhookUrl: 'https://hooks.slack.com/x', language: 'de', ...desk },
    { name: 'other', type: 'console' },
  ])

test('what people changed takes the place of every filter of the file, and of nothing else', () => {
  const before = file({ models: ['claude'], quiet: { from: '22:00', to: '07:00' }, digest: { every: 'day' } })
  const { channels, ...rest } = effectiveConfig(before, { of })
  expect(channels.find(({ name }) => name === 'desk')).toEqual({
    name: 'desk',
    type: 'slack',
    webhookUrl: 'https://hooks.slack.com/x',
    language: 'de',
    timeZone: 'UTC',
    direction: 'rise',
    minDelta: 20,
  })
  expect(channels.filter(({ name }) => name !== 'desk')).toEqual(
    before.channels.filter(({ name }) => name !== 'desk'),
  )
  expect({ ...rest, channels: before.channels }).toEqual(before)
})

test('a channel that is fixed is as the file says', () => {
  const before = file({ minDelta: 3, fixed: true })
  expect(effectiveConfig(before, { of })).toEqual(before)
})
