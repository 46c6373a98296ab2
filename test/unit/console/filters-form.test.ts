import { expect, test } from 'vitest'
import type { ChannelFilters } from '../../../src/channels/settings.ts'
import { filledIn, filtersFrom, formOf } from '../../../src/console/filters-form.ts'

const values = { models: ['claude', 'gemini'], events: ['policy_change'] }

test.each<[string, ChannelFilters]>([
  ['nothing', { direction: 'both' }],
  [
    'all of it',
    {
      models: ['claude', 'gemini'],
      events: ['policy_change'],
      categories: ['political', 'hate speech'],
      minDelta: 2.5,
      direction: 'fall',
      quiet: { from: '22:00', to: '07:00', days: ['mon', 'sun'], unless: { minDelta: 20 } },
      digest: { every: 'week', at: '09:30', on: 'tue', unless: { minDelta: 30 } },
    },
  ],
  ['an hourly digest', { direction: 'rise', digest: { every: 'hour' } }],
])('the form of %s means the same when it comes back', (_, filters) => {
  expect(filtersFrom(filledIn({ ...formOf(filters) }), values)).toEqual({ filters })
})

test('a box alone, a comma in a number and what has no meaning for the digest are read as they are meant', () => {
  const form = {
    models: 'claude',
    minDelta: ' 2,5 ',
    direction: 'both',
    digestEvery: 'hour',
    digestAt: '09:00',
    digestOn: 'tue',
  }
  expect(filtersFrom(filledIn(form), values)).toEqual({
    filters: { models: ['claude'], minDelta: 2.5, direction: 'both', digest: { every: 'hour' } },
  })
})

test.each<[string, Record<string, unknown>, string, string]>([
  ['direction: none', {}, 'direction', 'The direction must be one of'],
  ['a number that is none', { minDelta: 'some' }, 'minDelta', 'The change must be a number'],
  ['half of the quiet hours', { quietTo: '07:00' }, 'quietFrom', 'Quiet from must be an hour'],
  ['the whole day', { quietFrom: '07:00', quietTo: '07:00' }, 'quietTo', 'Quiet to is the same hour'],
  [
    'a day without quiet',
    { quietFrom: '07:00', quietTo: '08:00', quietDays: 'day' },
    'quietDays',
    'must be one of',
  ],
  [
    'too large for quiet hours',
    { quietFrom: '07:00', quietTo: '08:00', quietUnless: '400' },
    'quietUnless',
    '100 at most',
  ],
  ['a model that nobody watches', { models: ['claude', 'cluade'] }, 'models', 'Models: there is no cluade.'],
  ['a rhythm that is none', { digestEvery: 'year' }, 'digestEvery', 'The digest must be one of'],
  ['an hour that is none', { digestEvery: 'day', digestAt: '25:00' }, 'digestAt', 'must be an hour'],
  [
    'a day that is none',
    { digestEvery: 'week', digestOn: 'day' },
    'digestOn',
    'The day of the digest must be one of',
  ],
  ['too large for a digest', { digestEvery: 'day', digestUnless: '400' }, 'digestUnless', '100 at most'],
])('%s is refused in words, at its field', (name, form, field, words) => {
  const direction = name === 'direction: none' ? {} : { direction: 'both' }
  const read = filtersFrom(filledIn({ ...direction, ...form }), values)
  expect(read).toEqual({ errors: { [field]: expect.stringContaining(words) } })
})

test('fields that are no text are as if they were not there', () => {
  expect(filledIn({ models: { a: 1 }, minDelta: ['1', '2'], direction: 7 })).toEqual(filledIn({}))
})
