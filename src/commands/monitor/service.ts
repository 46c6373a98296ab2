import type { PeopleService } from '../../app/environment.ts'
import { knownModels } from '../../event/event.ts'
import { plain } from '../../platform/text.ts'
import { NotFound } from '../../service/client/errors.ts'
import type { Records } from '../../service/client/http/pages.ts'
import { configFile, configForAsking } from '../configuration.ts'
import { CommandFailure } from '../failure.ts'
import { peopleClient } from '../people-client.ts'
import type { Terminal } from '../terminal.ts'
import type { OutputOptions } from './output.ts'

export interface MonitorOptions extends OutputOptions {
  config?: string
}

export async function serviceOf(options: MonitorOptions): Promise<PeopleService> {
  const config = await configForAsking(options)
  const { monitor } = config
  const file = configFile(options)
  if (monitor === undefined) {
    const what = 'monitor: is missing; set monitor.baseUrl and monitor.apiKey or monitor.oauth'
    throw new CommandFailure(`${file}: ${what}`, 2)
  }
  try {
    const client = peopleClient(config, monitor)
    const history: PeopleService['history'] = async (model, query) => {
      const published = await client.history(model, query)
      return { history: published, readAt: Date.now() }
    }
    return { client, history, rates: monitor.rates }
  } catch (error) {
    // An address or a key that could never work.
    if (error instanceof TypeError) throw new CommandFailure(`${file}: ${error.message}`, 2, error)
    throw error
  }
}

const modelNames: readonly string[] = knownModels

/** Says of a 404 which models there are. */
export async function aboutModels<T>(models: readonly string[], ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
    const strange = models.filter((model) => !modelNames.includes(model)).map((model) => plain(model, 60))
    const about =
      strange.length === 0
        ? `the service does not know ${models.join(', ')}, although its documentation names it; `
        : `the service has no such model: ${strange.join(', ')}; it has ${modelNames.join(', ')}. If the name is right, `
    throw new CommandFailure(`${about}check that monitor.baseUrl ends in /v1`, 1, error)
  }
}

/** All records of a list, from all its pages. */
export async function gather<T>(records: Records<T>, terminal: Terminal): Promise<T[]> {
  const all: T[] = []
  for await (const record of records) all.push(record)
  sayUnread(records.unread, 'records', terminal)
  return all
}

/** On standard error, so that nobody takes a part for the whole in a machine's form either. */
export function sayUnread(unread: number, what: string, terminal: Terminal): void {
  if (unread > 0) terminal.note(`${unread} ${what} cannot be read and are left out.\n`)
}
