import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { makeEvidence } from '../../../src/record/evidence/make.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { delivery } from '../../support/app.ts'
import { chainAll } from '../../support/chain-all.ts'
import { alert } from '../../support/fakes/events.ts'
import { secret, signed } from '../../support/fakes/signed.ts'
import { damageStored, storedBatches } from '../../support/stored.ts'
import { until } from '../../system/crash/scene.ts'
import { endAll, type Running, run, start } from '../../system/e2e/process.ts'
import { type Desk, minute, openDesk } from '../../system/faults/desk.ts'

afterEach(endAll)

const title = 'The hash chain of evidence was changed or damaged'

/** A store with a chain of three batches of two alerts each, and a file of evidence for the third alert. */
async function newsroom() {
  const folder = mkdtempSync(join(tmpdir(), 'lost-chain-'))
  const config = join(folder, 'b.yaml')
  writeFileSync(
    config,
    `
webhook: { secrets: [${secret}] }
server: { host: 127.0.0.1, port: 0 }
store: file:${folder}/data
channels: [{ name: desk, type: console }]
operators: [desk]
`,
  )
  const onTrouble = (sentence: string) => expect.fail(sentence)
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble })
  for (const number of [1, 3, 5]) {
    const ids = [`evt_${number}`, `evt_${number + 1}`]
    await store.accept(ids.map((id) => ({ entry: alert({ id }), outcomes: {} })))
    await chainAll({ store, now: Date.now })
  }
  const made = await makeEvidence('evt_3', { store, now: Date.now })
  const file = join(folder, 'before.json')
  writeFileSync(file, 'file' in made ? made.file : '')
  const heads = (await store.chain.from(1, 9)).map(({ head }) => head)
  await store.close()
  const ask = (...args: string[]) => run([...args, '--config', config], { cwd: folder })
  return {
    folder,
    file,
    heads,
    data: join(folder, 'data'),
    ask,
    async deliver(to: Running, id: string): Promise<void> {
      const body = delivery(id, Date.now())
      const port = to.log().find(({ message }) => message === 'ready')?.port
      const url = `http://127.0.0.1:${port}/webhook`
      const answer = await fetch(url, { method: 'POST', headers: signed(body), body })
      expect(answer.status).toBe(202)
    },
    /** Of the chain, with these words; the store is asked. */
    async notices(words: string): Promise<string[]> {
      const { stdout } = await ask('events', '--json', '--limit', '100')
      return stdout.split('\n').filter((line) => line.includes(title) && line.includes(words))
    },
    chain: async () => (await ask('chain')).stdout.trimEnd().split('\n'),
    /** Until it has done its first round. */
    async serve(also: (one: Running) => boolean = () => true): Promise<Running> {
      const started = start(['serve', '--config', config])
      await until(
        'it is ready',
        () => started.log().some(({ message }) => message === 'ready') && also(started),
      )
      return started
    },
  }
}

async function stops(one: Running): Promise<void> {
  one.kill()
  expect(await one.ended).toBe(0)
}

const tells = (one: Running) => one.stdout().split(title).length - 1

const all = 'batches 1 to 3 were lost: the whole chain was missing'
const last = 'batch 3 was lost: the stored chain ended with batch 2'
const other = 'batch 3 was changed in the store'

describe('if the end of the chain is gone, operators are alerted once, and a new stretch says from when it is and why', () => {
  test.each([
    ['deleted', 'delete from chain', all],
    ['cut off', 'delete from chain where number = 3', last],
    ['changed', "update chain set head = '00' || substr(head, 3) where number = 3", other],
  ])('%s', { timeout: 120_000 }, async (_, damage, why) => {
    const room = await newsroom()
    damageStored(room.data, damage)
    let serving = await room.serve((started) => tells(started) > 0)
    expect(serving.stdout()).toContain(why)
    // What it had and is still stored is chained again.
    if (why === other) {
      await room.deliver(serving, 'evt_7')
      await stops(serving)
      serving = await room.serve()
    }
    await until('there is a stretch', async () => (await room.chain()).length > 1)
    const made = await room.ask('evidence', why === other ? 'evt_7' : 'evt_6', '--output', 'after.json')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const [head = '', stretch = '', ...rest] = await room.chain()
    expect(head).toMatch(/^4 /)
    expect(stretch).toMatch(new RegExp(`^a new stretch begins with 4 \\S+: ${why}$`))
    expect(rest).toEqual([])
    await stops(serving)

    const after = join(room.folder, 'after.json')
    const [, , newest = ''] = head.split(' ')
    const verified = await run(['verify', after, '--head', newest])
    expect(verified.code).toBe(0)
    expect(verified.stdout).toContain(`A new stretch of the chain begins with 4: ${why}.`)
    // It has the newest head that was known before it, and a file of before is what it was.
    expect(JSON.parse(readFileSync(after, 'utf8'))).toMatchObject({ chain: { previous: room.heads[2] } })
    expect((await run(['verify', room.file, '--head', room.heads[2] ?? ''])).code).toBe(0)

    await stops(await room.serve())
    expect(await room.notices(why)).toHaveLength(1)
  })
})

describe('where a batch in the middle is not as it was, it is said, and no evidence is made of what is in it', () => {
  test.each([
    [
      'changed',
      "update chain set at = '3' || substr(at, 2) where number = 2",
      'batch 2 was changed: it does not match its head',
    ],
    ['taken out', 'delete from chain where number = 2', 'batch 2 is missing'],
  ])('%s', { timeout: 120_000 }, async (_, damage, why) => {
    const room = await newsroom()
    damageStored(room.data, damage)
    const serving = await room.serve((started) => tells(started) > 0)
    expect(serving.stdout()).toContain(why)
    expect((await room.chain()).slice(1)).toEqual([`not whole: ${why}`])
    const refused = await room.ask('evidence', 'evt_3', '--output', 'none.json')
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/was changed|part of the chain was lost/),
    ])
    // What is before and behind it goes on.
    for (const id of ['evt_1', 'evt_6']) {
      expect(await room.ask('evidence', id, '--output', `${id}.json`)).toMatchObject({ code: 0 })
      expect((await run(['verify', join(room.folder, `${id}.json`)])).code).toBe(0)
    }
    await stops(serving)
    await stops(await room.serve())
    expect(await room.notices(why)).toHaveLength(1)
  })
})

test('a chain that is removed beside a running service is missed within a minute, and goes on in a new stretch', {
  timeout: 120_000,
}, async () => {
  const desk = await openDesk({ channels: [{ name: 'desk', type: 'console' }] })
  const folder = mkdtempSync(join(tmpdir(), 'lost-chain-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const config = join(folder, 'b.yaml')
  writeFileSync(config, `store: file:${desk.folder}\nchannels: [{ name: desk, type: console }]\n`)
  const ask = (...args: string[]) => run([...args, '--config', config], { cwd: folder })
  const batches = () => storedBatches(desk.folder)
  for (const number of [1, 2]) {
    await desk.deliver(`evt_${number}`)
    await untilInTime(desk, () => batches() === number)
  }
  damageStored(desk.folder, 'delete from chain')
  const why = 'batches 1 to 2 were lost: the whole chain was missing'
  const refused = await ask('evidence', 'evt_1', '--output', '1.json')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(why) })
  expect(await ask('chain')).toMatchObject({ code: 1, stderr: expect.stringContaining(why) })
  const removedAt = desk.now()
  const notices = () => desk.toldInFull().filter((text) => text.includes(why))
  await untilInTime(desk, () => notices().length > 0)
  // The clock goes on in steps of a second while the disk answers.
  expect(desk.now() - removedAt).toBeLessThanOrEqual(minute + 5_000)
  await untilInTime(desk, () => batches() > 0)
  const [head, stretch] = (await ask('chain')).stdout.trimEnd().split('\n')
  expect([head, stretch]).toEqual([expect.stringMatching(/^3 /), expect.stringContaining(why)])
  expect((await ask('evidence', 'evt_1', '--output', '1.json')).code).toBe(0)
  await desk.pass(10 * minute)
  expect(notices()).toHaveLength(1)
})

/** Lets seconds of the desk's clock pass until it is so. */
async function untilInTime(desk: Desk, isSo: () => boolean): Promise<void> {
  for (let seconds = 0; !isSo(); seconds++) {
    if (seconds > 120) throw new Error(`waited in vain for ${isSo.toString()}`)
    await desk.seconds(1)
  }
}
