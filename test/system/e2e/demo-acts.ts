import stringWidth from 'string-width'
import { expect } from 'vitest'

/** Each act of the demo shows what it promises, on lines that fit. `shown`: up to the end of the last act. */
export function expectActs(shown: string): void {
  const lines = shown.split('\n')
  expect(lines.length).toBeLessThanOrEqual(120)
  expect(lines.filter((line) => stringWidth(line) > 100)).toEqual([])

  const [, ...acts] = shown.split(/\n\n(?=\d {2}\d\d:\d\d UTC {2}|In all\n)/).map(squeezed)
  const [delivered, repeated, forged, polled, late, explained, summary] = acts
  expect(acts).toHaveLength(7)
  const [reported = ''] = /evt_[0-9a-f]{24}/.exec(delivered ?? '') ?? []
  expect(delivered).toMatch(/answered 202\b/)
  expect(delivered).toMatch(
    /newsroom sent politics-discord not sent: .* the category is safety big-changes-mail sent/,
  )
  expect(delivered).toMatch(/Gemini’s refusal rate on safety prompts rose 9 points\./)
  expect(repeated).toMatch(new RegExp(`${reported}: answered 200\\b.*nothing is sent`))
  expect(forged).toMatch(/answered 401\. Nothing is stored/)

  const [found = ''] = /poll_[0-9a-f]{32}/.exec(polled ?? '') ?? []
  const [tried = ''] = /evt_[0-9a-f]{24}/.exec(polled ?? '') ?? []
  expect(polled).toMatch(/: no answer/)
  expect(polled).toMatch(
    /ChatGPT(’s refusal rate on political prompts rose 2\d(\.\d)? points| refused [\d.]+% of political prompts, up from [\d.]+%)\./,
  )
  expect(polled).toMatch(/newsroom sent politics-discord sent big-changes-mail sent/)
  expect(polled).toMatch(/operators: Webhooks are not reliable/)
  expect(late).toMatch(new RegExp(`${tried}, try \\d+: answered 202\\b`))
  expect(late).toMatch(
    /newsroom no new message: Bluepencil edits the first one politics-discord no new message: Bluepencil edits the first one/,
  )
  expect(late).toMatch(new RegExp(`\\+ Also reported by the .*\\(${tried}\\)\\.`))
  expect(late).toMatch(/operators: Webhooks are reliable again\. Resolved: Webhooks are not reliable/)
  expect(explained).toMatch(new RegExp(`explain ${found} .*the same change came as ${tried} later`))
  expect(explained).toMatch(new RegExp(`it also reports ${tried}; edited`))
  expect(summary).toMatch(/4 deliveries: 2 accepted, 1 repeat, 1 forged; \d+ tries got no answer\./)
  expect(summary).toMatch(/newsroom 2 alerts sent, 1 edited, 2 notices to the operators/)
  expect(summary).toMatch(/politics-discord 1 alert sent, 1 edited big-changes-mail 2 alerts sent/)
  expect(summary).toMatch(/2 changes; no channel was alerted twice/)
}

/** On one line, for any width that it was broken for. */
function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ')
}
