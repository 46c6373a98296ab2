import { describe, expect, test } from 'vitest'
import { channelKinds } from '../../../src/channels/registry.ts'
import { type SchemaField, schemaFields, valueField } from '../../../src/console/schema-fields.ts'
import { errorsAt, schemaForm, valueFrom } from '../../../src/console/schema-form.ts'

const forms: [name: string, fields: SchemaField[]][] = [
  ...['monitor', 'slack', 'discord', 'email'].map((section): [string, SchemaField[]] => [
    section,
    schemaFields([section], { without: ['smtp'] }),
  ]),
  ['publicUrl', [valueField(['webhook', 'publicUrl'])]],
  ['retention', [valueField(['retention'])]],
  ...Object.keys(channelKinds).map((type): [string, SchemaField[]] => [
    `a channel: ${type}`,
    schemaFields(['channels'], { type, without: ['type', 'fixed'] }),
  ]),
]

const withInner = (field: SchemaField): SchemaField[] => [field, ...field.fields.flatMap(withInner)]
const shown = (fields: readonly SchemaField[], value: unknown = {}) =>
  schemaForm(fields, { value }).map(String).join('')

test.each(forms)('each field has a label of its own and a line of help: %s', (_, fields) => {
  for (const { path, label, help } of fields.flatMap(withInner)) {
    expect([path, label]).toEqual([path, expect.stringMatching(/^[A-Z].{1,50}$/)])
    expect([path, help]).toEqual([path, expect.stringMatching(/^[A-Zw].{8,}/)])
    expect([path, help.split(' ').length < 45]).toEqual([path, true])
  }
  expect(shown(fields)).not.toMatch(/May stay empty|as usual|<label[^>]*>[^<]*(Oauth|Ms\b|MS\b|Url\b)/)
})

describe('what may stay empty is said once, in the label', () => {
  test.each([
    ['slack', 'Time between messages, in milliseconds (optional)'],
    ['monitor', 'API key'],
    ['monitor', 'OAuth client'],
    ['monitor', 'Address of the service'],
  ])('%s: %s', (section, label) => {
    expect(shown(schemaFields([section]))).toMatch(
      new RegExp(`<(label for="[^"]*"|legend)>${label.replace(/[()]/g, '\\$&')}</`),
    )
  })
})

test('a duration is typed in the unit of its label, and stays what it is in another', () => {
  const [escalate] = schemaFields(['channels'], { type: 'console' }).filter(
    ({ path }) => path[0] === 'escalate',
  )
  if (escalate === undefined) throw new Error('no escalation')
  const form = shown([escalate], { escalate: { after: '2h', to: 'night' } })
  expect(form).toContain('>Time to acknowledge, in minutes</label>')
  expect(form).toMatch(/value="120"/)
  expect(shown([escalate], { escalate: { after: '90s' } })).toMatch(/value="90s"/)
  const typed = { 'in.escalate.after': '20', 'in.escalate.to': 'night' }
  expect(valueFrom([escalate], typed).value).toEqual({ escalate: { after: '20m', to: 'night' } })
  expect(valueFrom([escalate], { ...typed, 'in.escalate.after': '1h' }).value).toMatchObject({
    escalate: { after: '1h' },
  })
})

test('a private network is a box to tick', () => {
  const fields = schemaFields(['channels'], { type: 'webhook' }).filter(
    ({ path }) => path[0] === 'allowPrivate',
  )
  expect(shown(fields, { allowPrivate: true })).toMatch(
    /type="checkbox" value="yes" checked.*Private network/,
  )
  expect(valueFrom(fields, { 'in.allowPrivate': 'yes' }).value).toEqual({ allowPrivate: true })
  expect(valueFrom(fields, {}).value).toEqual({})
})

test('an error of a list says which entry it is about', () => {
  const fields = schemaFields(['channels'], { type: 'email' })
  expect(errorsAt(fields, [{ path: ['to', 1], message: 'is not an e-mail address' }])).toEqual({
    'in.to': 'Recipients, entry 2, is not an e-mail address.',
  })
})

test('an error names the field without its unit', () => {
  const fields = [valueField(['retention'])]
  expect(errorsAt(fields, [{ path: [], message: 'must be from 14d to 3650d' }])).toEqual({
    'in.': 'Keep alerts for must be from 14d to 3650d.',
  })
})
