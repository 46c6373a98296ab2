import { spawn } from 'node:child_process'
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { allOf, read } from '../../support/markdown.ts'
import { attempt, messageAbout, newSecret, open, secret } from '../../unit/channels/webhook/opened.ts'

/** The receiver of docs/webhook.md, in a folder of its own. */
async function startReceiver() {
  const folder = mkdtempSync(join(tmpdir(), 'bluepencil-receiver-'))
  const [program] = allOf('code', read('docs/webhook.md')).filter(({ lang }) => lang === 'js')
  writeFileSync(join(folder, 'receive.mjs'), program?.text ?? '')
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const port = await freePort()
  const child = spawn(process.execPath, ['receive.mjs'], {
    cwd: folder,
    env: { ...process.env, PORT: `${port}`, WEBHOOK_CHANNEL_SECRET: secret },
  })
  onTestFinished(() => void child.kill())
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const to = `http://127.0.0.1:${port}`
  const isUp = () => fetch(to).then(Boolean, () => false)
  await vi.waitUntil(isUp, { timeout: 20_000 })
  return { to, printed: () => printed }
}

test('the receiver in docs/webhook.md prints what is signed, once, and refuses the rest', async () => {
  const { to, printed } = await startReceiver()
  const channel = await open({ to })
  const message = messageAbout()
  for (const _ of ['first', 'retry'])
    expect(await channel.send(message, attempt())).toMatchObject({ result: 'sent' })
  await vi.waitUntil(() => printed() !== '')
  expect(printed()).toBe(`alert ${message.headline}\n`)

  const other = await open({ to, secret: newSecret })
  expect(await other.send(messageAbout({ id: 'evt_2' }), attempt())).not.toMatchObject({ result: 'sent' })
  expect(printed()).toBe(`alert ${message.headline}\n`)
})
