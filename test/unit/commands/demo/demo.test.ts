import { expect, test } from 'vitest'
import { statusLine } from '../../../../src/commands/demo/demo.ts'

test('the line is drawn once, cut to the width, and taken away before anything else is written', () => {
  const drawn: string[] = []
  const status = statusLine({ columns: 10, write: (text) => drawn.push(text) })
  status.clear()
  expect(drawn).toEqual([])
  status.says('Act 1 of 6, and more')
  status.clear()
  status.clear()
  expect(drawn).toEqual(['\r\u001b[KAct 1 of ', '\r\u001b[K'])
})
