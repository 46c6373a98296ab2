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

test.each([
  ['direction: none', {}, 'The direction must be one of'],
  ['a number that is none', { direction: 'both', minDelta: 'some' }, 'The change must be a number'],
  ['half of the quiet hours', { direction: 'both', quietTo: '07:00' }, 'Quiet from must be an hour'],
  ['the whole day', { direction: 'both', quietFrom: '07:00', quietTo: '07:00' }, 'Quiet to is the same hour'],
  [
    'a model that nobody watches',
    { direction: 'both', models: ['claude', 'cluade'] },
    'Models: there is no cluade.',
  ],
  [
    'a day that is none',
    { direction: 'both', digestEvery: 'week', digestOn: 'day' },
    'The day of the digest must be one of',
  ],
])('%s is refused in words', (_, form, words) => {
  const read = filtersFrom(filledIn(form), values)
  expect('problems' in read && read.problems.join(' ')).toContain(words)
})

test('fields that are no text are as if they were not there', () => {
  expect(filledIn({ models: { a: 1 }, minDelta: ['1', '2'], direction: 7 })).toEqual(filledIn({}))
})
