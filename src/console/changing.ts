import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  type ChannelFilters,
  type CommonSettings,
  filtersOf,
  isForTroubleAlone,
} from '../channels/settings.ts'
import { alertTypes, knownModels } from '../event/event.ts'
import type { ActionRequest } from './actions.ts'
import { filledIn, filtersFrom, formOf } from './filters-form.ts'
import { filtersInWords, hoursInWords } from './filters-in-words.ts'
import { filtersPage } from './pages/filters.ts'
import type { PageRequest } from './pages.ts'
import type { ConsoleParts, FileFilters } from './parts.ts'
import { type ConsoleReply, notFound, problemPage } from './reply.ts'

const known = { models: knownModels, events: alertTypes }

interface CurrentFilters {
  at: FileFilters
  inForce: ChannelFilters
  timeZone: string
  stories: CommonSettings['stories']
}

/** What a channel gets is changed here, by who has no shell. */
export function createChanging(parts: ConsoleParts) {
  /** Or why nothing of it can be changed here. */
  function standingOf(channel: string): CurrentFilters | ConsoleReply {
    const at = parts.filtersAt(channel)
    const settings = parts.config().channels.find(({ name }) => name === channel)
    if (at === undefined || settings === undefined) return notFound('No such channel is configured.')
    if (at.isFixed) return refused('The configuration file says that it is fixed.')
    if (isForTroubleAlone(at.file)) {
      return refused('It is for trouble alone, by the configuration file: no alert goes there.')
    }
    const { timeZone, stories } = settings
    return { at, inForce: filtersOf(at.changed?.filters ?? at.file), timeZone, stories }
  }

  function page(
    { context }: PageRequest,
    channel: string,
    standing: CurrentFilters | ConsoleReply,
    more: Pick<Parameters<typeof filtersPage>[0], 'trial'> & {
      form?: ReturnType<typeof formOf>
      problems?: string[]
    } = {},
  ): ConsoleReply {
    if (!('at' in standing)) return standing
    const { at, inForce, timeZone, stories } = standing
    const { form = formOf(inForce), problems = [], trial } = more
    const basis = basisOf(at, inForce)
    const shown = {
      channel,
      timeZone,
      stories,
      at,
      isInForce: isInForce(channel, inForce),
      form,
      problems,
      trial,
      basis,
    }
    return { page: filtersPage(shown, context) }
  }

  async function show(looked: PageRequest, channel: string): Promise<ConsoleReply> {
    return page(looked, channel, standingOf(channel))
  }

  async function tryOut(acting: ActionRequest, channel: string): Promise<ConsoleReply> {
    const standing = standingOf(channel)
    if (!('at' in standing)) return standing
    const form = filledIn(acting.fields)
    const read = filtersFrom(form, known)
    if ('problems' in read) return page(acting, channel, standing, { form, problems: read.problems })
    const { filters } = read
    const { timeZone, stories } = standing
    const words = [filtersInWords(filters), ...hoursInWords({ ...filters, timeZone, stories })]
    const isChange = !isDeepStrictEqual(filtersOf(filters), standing.inForce)
    const is = (await parts.tryFilters(channel, filters)) ?? 'untried'
    return page(acting, channel, standing, { form, trial: { is, words, isChange } })
  }

  async function change(acting: ActionRequest, channel: string): Promise<ConsoleReply> {
    const standing = standingOf(channel)
    if (!('at' in standing)) return standing
    const form = filledIn(acting.fields)
    const read = filtersFrom(form, known)
    if ('problems' in read) return page(acting, channel, standing, { form, problems: read.problems })
    const { at, inForce } = standing
    // A second click, too.
    if (isDeepStrictEqual(filtersOf(read.filters), inForce)) return changed(channel, inForce)
    const overtaken = () => page(acting, channel, standingOf(channel), { form, problems: [meanwhile] })
    if (acting.fields.basis !== basisOf(at, inForce)) return overtaken()
    const stands = { channel, file: at.file, inForce, lastAt: at.lastAt }
    if (!(await parts.filtering.change(acting, stands, filtersOf(read.filters)))) return overtaken()
    return changed(channel, filtersOf(read.filters))
  }

  async function restore(acting: ActionRequest, channel: string): Promise<ConsoleReply> {
    const standing = standingOf(channel)
    if (!('at' in standing)) return standing
    const { at, inForce } = standing
    if (at.changed === undefined) return { to: '/channels?done=filters-file-before' }
    const overtaken = () => page(acting, channel, standingOf(channel), { problems: [meanwhile] })
    if (acting.fields.basis !== basisOf(at, inForce)) return overtaken()
    const stands = { channel, file: at.file, inForce, lastAt: at.lastAt }
    if (!(await parts.filtering.restore(acting, stands))) return overtaken()
    return { to: `/channels?done=${isInForce(channel, at.file) ? 'filters-file' : 'filters-soon'}` }
  }

  function changed(channel: string, becomes: ChannelFilters): ConsoleReply {
    return { to: `/channels?done=${isInForce(channel, becomes) ? 'filters-changed' : 'filters-soon'}` }
  }

  function isInForce(name: string, filters: ChannelFilters): boolean {
    const channel = parts.config().channels.find((one) => one.name === name)
    return channel !== undefined && isDeepStrictEqual(filtersOf(channel), filters)
  }

  return { show, tryOut, change, restore }
}

const meanwhile =
  'Somebody else has changed what this channel gets since you opened the form. Look at what is in force now, and try again.'

function refused(why: string): ConsoleReply {
  return { page: problemPage(409, 'This cannot be changed here', why) }
}

/** By it a form is known that was made before somebody else's change, or before one's own. */
function basisOf({ lastAt = '' }: FileFilters, inForce: ChannelFilters): string {
  return createHash('sha256')
    .update(JSON.stringify([lastAt, inForce]))
    .digest('hex')
    .slice(0, 16)
}
