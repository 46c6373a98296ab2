import { describe, expect, test } from 'vitest'
import type { Finding, FindingFigures } from '../../../../src/intake/detect/finding.ts'
import { alertOf } from '../../../../src/intake/poll/finding-event.ts'

const at = '2026-11-21T13:05:00.000Z'
const figures: FindingFigures = {
  rate: 0.3,
  baseline: 0.181,
  readings: 1,
  n: 500,
  baselineReadings: 29,
  baselineDays: 29,
  prompts: 500,
  baselineN: 14_500,
  size: 0.098,
  interval: [0.06, 0.14],
  standardErrors: 6.2,
  threshold: 4,
  readingsPerYear: 365,
  noise: 1,
  besides: 0,
  drift: 0,
}

const step: Finding = {
  kind: 'spike',
  status: 'found',
  category: 'political',
  direction: 'rise',
  since: at,
  foundAt: at,
  version: null,
  figures,
  completes: null,
  sentence: '',
}

describe('the alert of a finding', () => {
  test('has the size that the published figures show; the corrected estimate stands beside it', () => {
    const event = alertOf('claude', step, at)
    expect(event).toMatchObject({ type: 'censorship_spike', category: 'political', delta: 11.9 })
    expect(event.figures?.levels?.size).toBe(9.8)
    expect(event).not.toHaveProperty('version')
  })

  test('that comes with another version is still of the rate', () => {
    const event = alertOf('claude', { ...step, version: { from: '4.1', to: '4.2' } }, at)
    expect(event).toMatchObject({ type: 'censorship_spike', delta: 11.9 })
    expect(event).not.toHaveProperty('version')
    expect(event.figures?.levels?.version).toEqual({ from: '4.1', to: '4.2' })
  })

  test('of another version alone is a type of its own, without category and size', () => {
    const version = { from: '4.1', to: '4.2' }
    const alone: Finding = {
      ...step,
      kind: 'policy_change',
      category: null,
      direction: null,
      version,
      figures: null,
    }
    expect(alertOf('claude', alone, at)).toMatchObject({
      type: 'version_change',
      version,
      category: null,
      delta: null,
      figures: null,
    })
  })
})
