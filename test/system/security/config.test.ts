import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConfigError } from '../../../src/config/error.ts'
import { parseConfigFile } from '../../../src/config/load.ts'
import { runs } from '../../support/runs.ts'
import { nasty } from './texts.ts'

const example = readFileSync('config/bluepencil.example.yaml', 'utf8')
const environment = Object.fromEntries(
  Array.from(example.matchAll(/\$\{([A-Z_]+)\}/g), ([, name = '']) => [name, 'planted-value-of-a-variable']),
)

/** What a wrong configuration is answered, or `valid`. Any other error fails the test. */
function read(text: string): string {
  try {
    parseConfigFile(text, 'b.yaml', environment).compose({})
    return 'valid'
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message
  }
}

/** Every line has a place in the file, but for what is missing in a file without anything in it. */
const complaint = /^valid$|^b\.yaml:\d+:\d+: .+(?:\nb\.yaml:\d+:\d+: .+)*$/
const ofEmptyFile = 'b.yaml: channels: is missing'

/** What is wrong with the answer to a text; nothing where it is valid, or a complaint as it should be. */
function flaws(text: string): string[] {
  const answer = read(text)
  const placed = complaint.test(answer) || answer === ofEmptyFile
  const harmless = !/[\p{Cc}--[\n]]|\n\s+at |planted-value/v.test(answer)
  return placed && harmless ? [] : [answer]
}

/** What YAML makes something of, and what a value may be by mistake. */
const snippets = [
  '*x | &x | &x [*x] | <<: *x | !!binary aGk= | !!set {a, b} | !!omap [a: 1] | !!js/function f | !x y | ? [a, b]',
  '--- | ... | %YAML 9.9 | %TAG ! x | >- | "\\q" | " | @ | ? {a: b}\n: c | {{a}} | ` | null | ~ | yes | 0x1F | 0o7',
  '.inf | -.nan | 1e999 | 2026-11-21 | 12:30:45 | [] | {} | [[[[]]]] | {a: {a: {a: {}}}} | : | # | - | , | toString: x',
  '__proto__: {polluted: yes} | constructor: {prototype: {polluted: yes}} | channels: x | __proto__ | constructor',
  `\${ | \${} | \${NOPE} | \${file:} | \${file:/} | \${file:/dev/null} | \${A:-\${B}} | $\${ | \${__proto__}`,
  "' | \t | \u0000 | \u001b[31m | \ufeff | \u2028 | \ud800 | \r | \u0085",
]
  .flatMap((line) => line.split(' | '))
  .concat('|', '|9', '9'.repeat(400), '['.repeat(2_000), '['.repeat(9_000) + ']'.repeat(9_000))
  .concat('{a: '.repeat(500), '- '.repeat(500), ': ', '- ', '  ')
  .concat(nasty.filter((text) => text.length < 200))

const snippet = fc.oneof(fc.constantFrom(...snippets), fc.string({ unit: 'binary', maxLength: 20 }))

/** One change to a text, as by a slip of the hand, or of the mind. */
const change = fc
  .record({
    kind: fc.constantFrom(
      'insert',
      'replaceValue',
      'drop',
      'dropLine',
      'doubleLine',
      'swapLines',
      'indent',
      'cut',
    ),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    to: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    what: snippet,
  })
  .map(({ kind, at, to, what }) => (text: string): string => {
    const place = Math.floor(at * (text.length + 1))
    const lines = text.split('\n')
    const row = Math.floor(at * lines.length)
    const other = Math.floor(to * lines.length)
    const line = lines[row] ?? ''
    switch (kind) {
      case 'insert':
        return text.slice(0, place) + what + text.slice(place)
      case 'drop':
        return text.slice(0, place) + text.slice(place + Math.ceil(to * 8))
      case 'cut':
        return text.slice(0, place)
      case 'replaceValue':
        return lines
          .with(
            row,
            line.replace(/:\s.*$/, () => `: ${what}`),
          )
          .join('\n')
      case 'dropLine':
        return lines.toSpliced(row, 1).join('\n')
      case 'doubleLine':
        return lines.toSpliced(row, 0, line).join('\n')
      case 'swapLines':
        return lines
          .with(row, lines[other] ?? '')
          .with(other, line)
          .join('\n')
      case 'indent':
        return lines.with(row, `${' '.repeat(Math.floor(to * 6))}${line.trimStart()}`).join('\n')
    }
  })

/** The example with its comments gone and every optional line in force, so that a change hits something that counts. */
const whole = example.replace(/^(\s*)# ?(?=[\w-]+:|- )/gm, '$1')

describe('a configuration', () => {
  test('with a few changes is valid, or wrong in words with their place, and never anything else', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(example, whole),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        (text, changes) => {
          expect(flaws(changes.reduce((changed, next) => next(changed), text))).toEqual([])
        },
      ),
      runs(1_000),
    )
  })

  test('of any text at all is valid, or wrong in words with their place', () => {
    fc.assert(
      fc.property(fc.array(snippet, { maxLength: 8 }), (parts) => {
        expect(flaws(parts.join('\n'))).toEqual([])
      }),
      runs(),
    )
  })

  test('of any value in the place of any other is valid, or wrong in words with their place', () => {
    const value = fc.jsonValue({ maxDepth: 2 })
    const keys = fc.constantFrom(
      ...'monitor webhook polling server store retention log slack discord email operators channels'.split(
        ' ',
      ),
      '__proto__',
      'constructor',
    )
    fc.assert(
      fc.property(fc.dictionary(keys, value), (settings) => {
        expect(flaws(JSON.stringify(settings, null, 1))).toEqual([])
      }),
      runs(),
    )
  })

  test('cannot change what every object has', () => {
    expect(
      flaws('__proto__: { polluted: 1 }\nconstructor: { prototype: { polluted: 1 } }\nchannels: []\n'),
    ).toEqual([])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test.each([
    ['*hunter2-secret', 'monitor: { baseUrl: "https://m.example", apiKey: *hunter2-secret }'],
    ['"\\hunter2-secret"', 'monitor: { baseUrl: "https://m.example", apiKey: "\\hunter2-secret" }'],
    ['!hunter2-secret', 'monitor: { baseUrl: "https://m.example", apiKey: !hunter2-secret }'],
    ['!<hunter2-secret', 'monitor: { baseUrl: "https://m.example", apiKey: !<hunter2-secret }'],
    ['|hunter2-secret', 'monitor:\n  baseUrl: "https://m.example"\n  apiKey: |hunter2-secret\n'],
    ['>hunter2-secret', 'monitor:\n  baseUrl: "https://m.example"\n  apiKey: >hunter2-secret\n'],
    ['@hunter2-secret', 'monitor: { baseUrl: "https://m.example", apiKey: @hunter2-secret }'],
    ['x: hunter2-secret', 'monitor:\n  apiKey: x: hunter2-secret\n'],
    ['with a line too far left', 'monitor:\n    apiKey: x\n  hunter2-secret\n'],
    ['of a mail server', 'email: { smtp: "smtp://me:hunter2-secret@mail.example/x", from: a@b.example }'],
    ['in a webhook', 'channels: [{ name: a, type: slack, webhookUrl: "http://a.example/hunter2-secret" }]'],
    [
      'in a webhook of Discord',
      'channels: [{ name: a, type: discord, webhookUrl: "https://a.example/hunter2-secret" }]',
    ],
    ['with a blank', 'slack: { token: "hunter2-secret hunter2-secret" }'],
  ])('does not repeat a secret that is written wrongly: %s', (_, text) => {
    const answer = read(text)
    expect(answer).toMatch(complaint)
    expect(answer).not.toMatch(/^valid|hunter2/)
  })

  test.each([
    ['monitor.baseUrl', 'monitor: { baseUrl: "https://me:hunter2-secret@m.example/v1", apiKey: k }'],
    ['webhook.publicUrl', 'webhook: { publicUrl: "https://:hunter2-secret@m.example/v1" }'],
  ])('has no password in %s, as addresses are shown', (key, text) => {
    const answer = read(`channels: [{ name: desk, type: console }]\n${text}`)
    expect(answer).toMatch(/^b\.yaml:2:\d+: \S+: has a user name or a password in it; leave them out/)
    expect(answer).toContain(`: ${key}: `)
    expect(answer).not.toContain('hunter2')
  })

  test('with more aliases than anybody writes is refused with its place', () => {
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x]']
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg']) {
      lines.push(`${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join(', ')}]`)
    }
    expect(flaws(`${lines.join('\n')}\nchannels: *g\n`)).toEqual([])
    expect(read(`${lines.join('\n')}\nchannels: *g\n`)).not.toBe('valid')
  })
})
