import { expect, test } from 'vitest'
import { CommonSettings } from '../../../src/channels/settings.ts'
import { filtersInWords, hoursInWords } from '../../../src/console/filters-in-words.ts'

const settings = (given: object) => CommonSettings.parse({ name: 'desk', ...given })

test.each([
  [{}, 'Alerts about every model.'],
  [{ events: [] }, 'Trouble alone: no alert goes here.'],
  [{ models: ['claude'] }, 'Alerts about Claude.'],
  [
    { models: ['claude', 'gemini', 'qwen'], categories: ['political', 'safety'] },
    'Alerts about Claude, Gemini or Qwen, on political or safety prompts.',
  ],
  [
    { events: ['policy_change'], minDelta: 1, direction: 'fall' },
    'Alerts about every model, of the type policy change, of at least 1 percentage point, that fall.',
  ],
])('the filters %j read: %s', (given, said) => {
  expect(filtersInWords(settings(given))).toBe(said)
})

const atOnce =
  'At once, at any hour. From the eleventh alert in ten minutes on, the rest come as one message, ten minutes later at most.'

test.each([
  [{}, [atOnce]],
  [
    { stories: { within: '2h' } },
    [
      atOnce,
      'If its messages can be edited, alerts of one model, category and direction within 2 hours become one message; what is larger by 5 percentage points also comes by itself.',
    ],
  ],
  [
    { quiet: { from: '22:00', to: '07:00', days: ['fri', 'sat'] }, timeZone: 'Europe/Berlin' },
    ['Quiet from 22:00 to 07:00 beginning on Friday and Saturday (Europe/Berlin).'],
  ],
  [
    { digest: { every: 'week', on: 'wed', at: '09:30', unless: { minDelta: 20 } } },
    [
      'Every Wednesday at 09:30 in one message (UTC); changes of at least 20 percentage points at once all the same.',
    ],
  ],
  [{ digest: { every: 'hour' } }, ['Every hour in one message (UTC).']],
  [{ digest: { every: 'day' } }, ['Every day at 08:00 in one message (UTC).']],
])('the hours %j read: %j', (given, said) => {
  expect(hoursInWords(settings(given))).toEqual(said)
})
