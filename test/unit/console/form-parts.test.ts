import { expect, test } from 'vitest'
import {
  buttonRow,
  choicesField,
  errorSummary,
  fieldGroup,
  selectField,
  stepList,
  textArea,
  textField,
  tickField,
} from '../../../src/console/form-parts.ts'

test('an error stands at its field, which names its help and its error, and the summary leads there', () => {
  const errors = { name: 'Write a name.', role: undefined, '': 'Somebody else was quicker.' }
  const field = textField({ name: 'name', label: 'Name', help: 'As people see it', error: errors.name })
  expect(String(field)).toMatch(
    /<div class="field refused"><label for="name">Name<\/label><p class="help" id="name-help">As people see it<\/p><p class="error" id="name-error">Write a name\.<\/p><input id="name" .*aria-describedby="name-error name-help" aria-invalid="true">/,
  )
  expect(String(errorSummary(errors))).toMatch(
    /role="alert".*check 1 answer<\/h2>.*<a href="#name">Write a name\.<\/a>.*<li>Somebody else was quicker\.<\/li>/,
  )
  expect(errorSummary({ name: undefined })).toBe(false)
})

test('a password is never written back, and text cannot become markup', () => {
  const password = textField({ name: 'key', label: 'Key', type: 'password', value: 'mk_secret' })
  expect(String(password)).not.toContain('mk_secret')
  const name = String(textField({ name: 'name', label: 'Name', value: '"><script>' }))
  expect(name).toContain('value="&quot;&gt;&lt;script&gt;"')
  expect(name).not.toContain('aria-describedby')
})

test('choices keep what was chosen, each below its legend', () => {
  const options = { claude: 'Claude', qwen: 'Qwen' }
  const models = { name: 'models', label: 'Models', help: 'None ticked: every model.' }
  const ticks = String(choicesField({ ...models, options, chosen: ['qwen'] }))
  expect(ticks).toMatch(/<fieldset .*aria-describedby="models-help"><legend>Models<\/legend>/)
  expect(ticks).toMatch(/value="claude" id="models"> Claude.*value="qwen" checked> Qwen/s)
  expect(String(choicesField({ ...models, options, chosen: [], isSingle: true }))).toContain('type="radio"')
  expect(String(selectField({ name: 'model', label: 'Model', options, value: 'qwen' }))).toContain(
    '<option value="qwen" selected>Qwen</option>',
  )
  expect(String(tickField({ name: 'on', label: 'On', isTicked: true }))).toContain('value="yes" checked> On')
  expect(String(textArea({ name: 'note', label: 'Note', value: '\nfirst' }))).toContain(
    '>\n\nfirst</textarea>',
  )
})

test('a group, a row of buttons and the steps of a wizard are said to ears, too', () => {
  const group = fieldGroup('Quiet hours', [textField({ name: 'from', label: 'From', type: 'time' })])
  expect(String(group)).toMatch(/^<fieldset><legend>Quiet hours<\/legend><div class="field">/)
  expect(
    String(buttonRow([{ label: 'Save' }, { label: 'Remove', name: 'do', value: 'remove', look: 'danger' }])),
  ).toBe(
    '<div class="row"><button>Save</button><button class="danger" name="do" value="remove">Remove</button></div>',
  )
  const steps = [
    { label: 'Account', href: '/setup/account', isComplete: true },
    { label: 'Channel', href: '/setup/channel', isComplete: false },
  ]
  expect(String(stepList(steps, 1))).toMatch(
    /<li class="complete"><a href="\/setup\/account">Account<\/a><span class="unseen"> \(done\)<\/span><\/li><li aria-current="step"><span>Channel<\/span><\/li>/,
  )
})
