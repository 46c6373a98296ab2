import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { events } from '../../../src/commands/events.ts'
import { explain } from '../../../src/commands/explain.ts'
import { harmless } from '../../../src/commands/terminal.ts'
import { type Desk, delivery, openDesk } from './desk.ts'
import { nasty, terminalCommands } from './texts.ts'

const channels = ['plain', 'slack', 'discord', 'email']
  .map((as) => `  - { name: as-${as}, type: console, as: ${as} }\n`)
  .join('')

let desk: Desk
let close = async (): Promise<void> => {}
beforeAll(async () => {
  desk = await openDesk(channels, (closing) => {
    close = closing
  })
})
afterAll(() => close())

/** What a command writes, in this process; the running service answers it. */
async function written(command: typeof events | typeof explain, ...rest: unknown[]): Promise<string> {
  let out = ''
  const write = (text: string) => {
    out += text
  }
  const terminal = harmless({ out: write, note: write, colour: false, width: 100 })
  await Reflect.apply(command, undefined, [...rest, terminal])
  return out
}

const config = () => ({ config: `${desk.folder}/bluepencil.yaml` })

const Taken = z.object({ status: z.enum(['accepted', 'duplicate']), id: z.string() })

const deep = 60_000
const mostBytes = 256 * 1024

/** Padded with blanks, which are part of what is signed. */
function padded(id: string, bytes: number): string {
  const body = delivery(id)
  return body + ' '.repeat(bytes - Buffer.byteLength(body))
}

describe('an authentic body of a nasty kind is stored as it came, and the service lives on', () => {
  const numbers = '[1e999,-1e999,1e-999,-0,99999999999999999999999999,0.1e400]'
  test.each<[string, string | Uint8Array]>([
    ['of nothing', ''],
    ['of blanks', ' \n\t'],
    ['of a zero byte', '\u0000'],
    ['of arrays in arrays', '['.repeat(deep) + ']'.repeat(deep)],
    ['of arrays that do not end', '['.repeat(deep * 2)],
    ['of objects in objects', `${'{"data":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
    ['with an id of arrays in arrays', `{"id":${'['.repeat(deep)}${']'.repeat(deep)}}`],
    ['with every key twice', '{"id":"evt_first","id":"evt_second","type":"x","type":"policy_change"}'],
    ['with __proto__', '{"__proto__":{"id":"evt_polluted","polluted":true},"model":"claude"}'],
    [
      'with constructor',
      '{"constructor":{"prototype":{"polluted":true}},"data":{"__proto__":{"delta":"+1pp"}}}',
    ],
    ['with the id __proto__', '{"id":"__proto__"}'],
    ['with the id constructor', '{"id":"constructor"}'],
    ['with the id ..', '{"id":".."}'],
    ['with the id %2e%2e/', '{"id":"%2e%2e/"}'],
    ['with the id ../../status', '{"id":"../../status"}'],
    ['with the id ?limit=1#x', '{"id":"?limit=1#x"}'],
    ['with the id -h', '{"id":"-h"}'],
    ['with the id of 200 emoji', JSON.stringify({ id: '🜁'.repeat(200) })],
    ['with huge numbers', `{"id":${numbers},"data":{"delta":1e999,"detected_at":1e999}}`],
    ['with a delta of 1e308pp', '{"id":"evt_large","data":{"delta":"+1e308pp"}}'],
    ['that is not UTF-8', Buffer.from('7b226964223a226576745fff80c0af227d', 'hex')],
    ['with half a character', '{"id":"evt_\\ud800","model":"\\udfff"}'],
    ['with a byte order mark', '\ufeff{"id":"evt_bom"}'],
    ['of UTF-16', Buffer.from('{"id":"evt_16"}', 'utf16le')],
    ['of one text', '"evt_text"'],
    ['of null', 'null'],
    ['of a million', '1'.repeat(1_000)],
    ['of 100,000 keys', `{${Array.from({ length: 20_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
    ['of exactly 256 KiB', padded('evt_exact', mostBytes)],
    ['of HTML', '<html><script>alert(1)</script></html>'],
    ['of a form', 'id=evt_form&type=policy_change'],
    ['compressed', Buffer.from('1f8b08000000000000ff4b4c4a06000c0a2af303000000', 'hex')],
  ])('%s', async (_, body) => {
    const { status, body: answer } = await desk.post(body)
    expect(status).toBe(202)
    const { id } = Taken.parse(answer)
    const shown = await written(explain, id, { ...config(), json: true })
    const stored = z
      .object({
        entry: z.object({ body: z.object({ encoding: z.enum(['utf8', 'base64']), text: z.string() }) }),
      })
      .parse(JSON.parse(shown))
    const { encoding, text } = stored.entry.body
    expect(Buffer.from(text, encoding)).toEqual(Buffer.from(body))
    expect((await desk.post(body)).status).toBe(200)
  })

  test('and one byte more than 256 KiB is refused with 413', async () => {
    expect((await desk.post(padded('evt_more', mostBytes + 1))).status).toBe(413)
  })

  test('and the service still is what it was', async () => {
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect((await desk.post(delivery('evt_after_all'))).status).toBe(202)
    expect(desk.serving.log().filter(({ level }) => level === 'error')).toEqual([])
  })
})

test('no authentic event commands the terminal with any text in its fields: shown, listed, explained or logged', async () => {
  const ids: string[] = []
  const shorter = nasty.map((text) => text.slice(0, 20_000))
  for (const [index, text] of shorter.entries()) {
    const changes = {
      type: text,
      model: text,
      data: { category: text, delta: '+12pp', detected_at: text },
      methodology: `https://monitor.example/${text}`,
    }
    const ofKnownType = JSON.stringify({ ...changes, id: `evt_nasty_${index}`, type: 'policy_change' })
    const unknown = JSON.stringify({ ...changes, id: text, n: index })
    for (const body of [ofKnownType, unknown]) ids.push(Taken.parse((await desk.post(body)).body).id)
  }
  await vi.waitUntil(async () => (await desk.metric('bluepencil_queue_waiting{channel="as-email"}')) === 0, {
    timeout: 20_000,
  })
  await vi.waitUntil(() => ids.every((id) => desk.serving.stderr().includes(JSON.stringify(id).slice(1, -1))))

  const texts = {
    shown: desk.serving.stdout(),
    logged: desk.serving.stderr(),
    listed: await written(events, { ...config(), limit: 1_000 }),
    'listed for machines': await written(events, { ...config(), limit: 1_000, json: true }),
  }
  for (const [name, text] of Object.entries(texts)) {
    expect.soft([name, terminalCommands.exec(text)?.[0]]).toEqual([name, undefined])
  }
  for (const id of ids) {
    const explained = await written(explain, id, config())
    expect.soft(terminalCommands.exec(explained)?.[0]).toBeUndefined()
    const forMachines = await written(explain, id, { ...config(), json: true })
    expect.soft(terminalCommands.exec(forMachines)?.[0]).toBeUndefined()
    expect(JSON.parse(forMachines)).toMatchObject({ entry: { id } })
  }
})

test('an id that is asked for cannot command the terminal either', async () => {
  const { stderr, code } = await desk.command('explain', 'evt_\u001b[2J\u009b31m\u202e')
  expect(code).toBe(1)
  expect(stderr).not.toMatch(terminalCommands)
  expect(stderr).toContain('evt_')
})
