import type { CheckRow } from '../../channels/channel.ts'
import type { Config } from '../../config/schema.ts'
import { storePlace } from '../../store/place.ts'
import { withControl } from '../configuration.ts'
import type { Terminal } from '../terminal.ts'
import { fail, ok } from './row.ts'

/** Reads all that is stored. */
export async function* checkWhole(config: Config, terminal: Terminal): AsyncGenerator<CheckRow, void> {
  const damage: string[] = []
  const noting = { ...terminal, note: (sentence: string) => void damage.push(sentence.trim()) }
  const found = await withControl(config, noting, (control) => control.verify())
  const place = storePlace(config.store)
  if (found === undefined) {
    yield ok('database', 'Postgres checks what it reads: see data_checksums, and pg_amcheck')
    return
  }
  const rows = [...damage, ...found]
  if (rows.length === 0)
    yield ok('files', `all in ${place.is === 'folder' ? place.folder : place.name} is as it was written`)
  for (const what of rows) yield fail('files', what)
}
