import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { command } from '../../support/command.ts'
import { openStore, temporaryFolder } from '../../unit/store/folder.ts'

test('what people set is restored with the rest, and nothing is in doubt at the next start', async () => {
  const folder = await temporaryFolder()
  const configOf = (name: string) => {
    const file = join(folder, `${name}.yaml`)
    writeFileSync(
      file,
      `webhook: { secrets: [whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=] }\nstore: "file:${join(folder, name)}"\nchannels: [{ name: desk, type: console }]\n`,
    )
    return file
  }
  const { store } = await openStore(join(folder, 'first'))
  const settings = { revision: 3, filters: { desk: { models: ['claude'] } } }
  await store.changeState('settings', () => settings)
  await store.close()
  const backup = join(folder, 'backup.tar.gz')
  expect(await command(['backup', backup, '--config', configOf('first')])).toMatchObject({ code: 0 })
  expect(await command(['restore', backup, '--config', configOf('second')])).toMatchObject({ code: 0 })
  const second = await openStore(join(folder, 'second'))
  onTestFinished(() => second.store.close())
  expect(await second.store.readState('settings')).toEqual(settings)
  expect(second.troubles).toEqual([])
})
