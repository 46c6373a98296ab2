import { expect, test } from 'vitest'
import { en } from '../../../src/message/words/answers/en.ts'
import { codeIn, read } from '../../support/markdown.ts'

test('docs/alerts.md names each command of the chat, and no other', () => {
  const named = codeIn(read('docs/alerts.md')).flatMap(
    (code) => /^\/bluepencil ([a-z-]+)/.exec(code)?.[1] ?? [],
  )
  const commands = Object.keys(en).flatMap((key) => /^does\.(.+)$/.exec(key)?.[1] ?? [])
  expect(new Set(named)).toEqual(new Set(commands))
})
