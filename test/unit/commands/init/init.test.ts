import { parseEnv } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withVariables } from '../../../../src/commands/init/init.ts'
import { runs } from '../../../support/runs.ts'

test('a variable takes the place of its line; all other lines stay', () => {
  const before = '# desk\nOTHER="a b"\nexport TOKEN=old\nTOKEN=older\nLAST=1'
  expect(withVariables(before, { TOKEN: 'xoxb-1', NEW: 'https://hooks.example/a?b=c&d' })).toBe(
    '# desk\nOTHER="a b"\nTOKEN=xoxb-1\nLAST=1\nNEW=https://hooks.example/a?b=c&d\n',
  )
})

test('any text of one line is read back as it was entered', () => {
  const value = fc.string({ unit: 'grapheme-ascii', minLength: 1 }).filter((text) => !/["'`]/.test(text))
  fc.assert(
    fc.property(value, fc.constantFrom('', "it's", 'say "so"', '#', `$HOME \${HOME}`), (text, more) => {
      const written = withVariables('BEFORE=1\n', { SECRET: `x${text}${more}x` })
      expect(parseEnv(written)).toEqual({ BEFORE: '1', SECRET: `x${text}${more}x` })
    }),
    runs(),
  )
})

test('a backslash stays one, also beside an apostrophe', () => {
  const secret = `it's \\n`
  expect(parseEnv(withVariables('', { SECRET: secret }))).toEqual({ SECRET: secret })
})

test('what no quotes can hold is refused by name, and not shown', () => {
  expect(() => withVariables('', { SECRET: `a'b"c\`d #e` })).toThrow(
    /^the value of SECRET cannot be written to \.env; write it there by hand$/,
  )
})

test('a line within the value of another variable is not taken for ours', () => {
  expect(() => withVariables('NOTE="one\nTOKEN=two"\n', { TOKEN: 'new' })).toThrow(/NOTE cannot be written/)
})
