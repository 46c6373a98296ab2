import { expect, test } from 'vitest'
import { goneOffences, newOffences } from '../../support/voice/counted.ts'
import { sentencesOf } from '../../support/voice/prose.ts'
import { allOffences, namesIn, offencesOf } from '../../support/voice/rules.ts'

const offences = allOffences()

test('what is new or changed speaks as the project does', () => {
  expect(newOffences(offences), 'npm run voice says what to write instead').toEqual([])
})

test('what was mended is not counted any more', () => {
  expect(goneOffences(offences), 'take it from the list: npm run voice -- --write').toEqual([])
})

const long = `One ${'very '.repeat(30)}long sentence.`

test.each([
  ['page.md', `# Page\n\nThe rule first. ${long}\n`, 3, 'longer than 30 words'],
  ['page.md', '- Operators are told of it.\n', 1, 'tell: send, alert, notify, report'],
  ['page.md', '| a | b |\n|---|---|\n| c | Where it is full, it waits. |\n', 1, 'where: if, when'],
  ['code.ts', 'const a = 1\n/** Notices whoever asks. */\n', 2, 'a riddle: a plain subject and verb'],
  ['code.ts', 'const a = 1\n// What is owed\n// to a channel.\n', 2, 'owe: pending'],
  ['code.ts', "log.info('a bad figure was set aside')\n", 1, 'set aside: quarantined'],
  ['code.ts', 'fail(`1, 2 and 3 people hear of it`)\n', 1, 'hear of: is notified'],
])('a planted sentence is refused: %s, %j', (file, source, line, rule) => {
  const planted = offencesOf(sentencesOf(file, source))
  expect(planted).toMatchObject([{ file, line, rule }])
  expect(newOffences(planted)).toHaveLength(1)
})

test.each(['const found = find(list)', 'function take(event) {}', 'for (const one of list) send(one)'])(
  'a planted name is refused: %s',
  (source) => {
    expect(namesIn('code.ts', source)).toMatchObject([
      { line: 1, rule: expect.stringContaining('the name ') },
    ])
  },
)

test('of a phrase with a choice, the longest that a reader sees is counted, and every part is read', () => {
  const choice = (part: string) =>
    `say('{way, select, rise {${part}} other {${'up '.repeat(20)}{n}}} of {model}.')\n`
  const rulesOf = (part: string) => offencesOf(sentencesOf('code.ts', choice(part))).map(({ rule }) => rule)
  expect(rulesOf('{n, plural, one {rose} other {rose again}} '.repeat(10))).toEqual([])
  expect(rulesOf('{n, plural, one {rose} other {rose again}} '.repeat(15))).toEqual(['longer than 30 words'])
  expect(rulesOf('is told')).toEqual(['tell: send, alert, notify, report'])
})

test('code, examples, statements and names are not read as sentences', () => {
  const page = 'Set `whoever: told` here.\n\n```\nwhoever is told\n```\n'
  const code =
    "/**\n * Answers rows.\n *\n *     whoever is told of it\n */\nrun('select told from whoever where owed')\nsay('told')\n"
  expect(offencesOf([...sentencesOf('page.md', page), ...sentencesOf('code.ts', code)])).toEqual([])
})

test('of markup, what is between two tags is read, and a tag inside a sentence does not end it', () => {
  const code = 'const page = html`<h1>Title</h1><p>You <strong>never</strong> see a tag.</p>`\n'
  expect(sentencesOf('code.ts', code).map(({ text }) => text)).toEqual(['You never see a tag.'])
  expect(sentencesOf('code.ts', "const from = 'Bluepencil <desk@desk.example> sends it'\n")).toHaveLength(1)
})
