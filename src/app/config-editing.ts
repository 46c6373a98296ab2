import { isDeepStrictEqual } from 'node:util'
import {
  type BrowserConfig,
  type ConfigSection,
  type RawChannel,
  sectionPaths,
} from '../config/browser-config.ts'
import { composeUsable, fileChannels, fileSection, newProblems } from '../config/compose.ts'
import { hasSignIn, isLockedOut } from '../config/console.ts'
import { isSetUp } from '../config/derived.ts'
import { ConfigError, type ConfigProblem } from '../config/error.ts'
import { keepSecrets, maskedRaw, maskedSection } from '../config/raw-secrets.ts'
import type { Config } from '../config/schema.ts'
import type { ConfigEditing, ConfigPart } from '../console/parts.ts'
import type { MaskedChange } from '../event/act.ts'
import { actBy, actId, type Doer } from '../people/converse/acts.ts'
import type { ConfigChanged } from '../people/converse/settings.ts'
import { within } from '../platform/clock.ts'
import { StoreUnavailable } from '../store/store.ts'
import type { EffectiveConfig } from './effective-config.ts'
import type { SharedServices } from './services.ts'

type Effective = Pick<EffectiveConfig, 'file' | 'composed' | 'settingsChanged'>
type FieldProblem = Extract<ConfigChanged, { result: 'invalid' }>['problems'][number]

/** Messages in flight may take longer to end. */
const appliedMs = 3_000

/** Changes the configuration that is made in the browser. Nothing is written that the whole configuration refuses. */
export function createConfigEditing(
  { browser, settings, clock }: Pick<SharedServices, 'browser' | 'settings' | 'clock'>,
  effective: Effective,
): ConfigEditing {
  const file = () => effective.file()
  const made = () => browser.current().made

  function place(path: readonly PropertyKey[]) {
    const { path: name, placeOf } = file()
    const line = placeOf(path)?.line
    return { ...(name !== undefined && { file: name }), ...(line !== undefined && { line }) }
  }

  function section(name: ConfigSection): ReturnType<ConfigEditing['section']> {
    const value = fileSection(file().value, name)
    if (value !== undefined) return { value, from: 'file', ...place(sectionPaths[name]) }
    return made()[name] === undefined
      ? { value: undefined, from: 'nowhere' }
      : { value: made()[name], from: 'browser' }
  }

  function channel(name: string): ReturnType<ConfigEditing['channel']> {
    const index = fileChannels(file().value).findIndex((other) => other.name === name)
    const inFile = fileChannels(file().value)[index]
    if (inFile !== undefined) return { value: inFile, from: 'file', ...place(['channels', index]) }
    const value = made().channels?.find((other) => other.name === name)
    return value && { value, from: 'browser' }
  }

  function refusal(): string | undefined {
    const { console } = effective.composed()
    if (console?.edit === false) return 'The configuration file keeps this to itself (console.edit: false).'
    const unreadable = browser.unreadable()
    if (unreadable !== undefined) return `${unreadable}. Until then, nothing can be changed here.`
    if (console !== undefined && hasSignIn(console)) return undefined
    return 'Nobody has to sign in here, so nothing can be changed here. Make an account first.'
  }

  /** The first account is made by who has the one-time key, which the console checks; later ones by who has signed in. */
  function isFirstAccount(changes: readonly ConfigPart[]): boolean {
    const [only, ...others] = changes
    return (
      others.length === 0 &&
      only !== undefined &&
      'section' in only &&
      only.section === 'users' &&
      !isSetUp(effective.composed())
    )
  }

  function whyNot(doer: Doer, parts: readonly ConfigPart[]): string | undefined {
    const { newer, lost } = browser.current()
    const isCommand = doer.by.via === 'command'
    const isClosed = effective.composed().console?.edit === false
    const isReadable = newer === undefined && (isCommand || lost === undefined)
    const mayPass = (isCommand || isFirstAccount(parts)) && !isClosed && isReadable
    const why = mayPass ? undefined : refusal()
    return why ?? parts.map(inFile).find((sentence) => sentence !== undefined)
  }

  function inFile(part: ConfigPart): string | undefined {
    const at = 'section' in part ? section(part.section) : channel(part.channel)
    if (at?.from !== 'file') return undefined
    const line = at.line === undefined ? '' : `, line ${at.line}`
    return `This is in the configuration file (${at.file ?? ''}${line}). Change it there.`
  }

  async function apply(): Promise<void> {
    await within(clock, appliedMs, effective.settingsChanged())
  }

  async function changeAll(
    doer: Doer,
    changes: readonly { part: ConfigPart; becomes: unknown }[],
    revision: number,
  ): Promise<ConfigChanged> {
    const parts = changes.map(({ part }) => part)
    const why = whyNot(doer, parts)
    if (why !== undefined) return { result: 'refused', why }
    const id = actId('change-config', doer.by.via, doer.key, ...parts.map(nameOf))
    if (await settings.isRecorded(id)) {
      await apply()
      return { result: 'repeated' }
    }
    if (browser.current().revision !== revision) return { result: 'outrun' }
    let next = made()
    const masked: MaskedChange[] = []
    for (const { part, becomes } of changes) {
      const before = madeValue(part, next)
      const kept = becomes === undefined ? { value: undefined, problems: [] } : keepSecrets(becomes, before)
      const problems = [
        ...kept.problems,
        ...rulesOf(
          part,
          { before, value: kept.value, doer, operators: operatorsIn(next) },
          effective.composed(),
        ),
      ]
      if (problems.length > 0) return { result: 'invalid', problems }
      if (isDeepStrictEqual(before, kept.value)) continue
      next = withPart(next, part, kept.value)
      masked.push({
        of: nameOf(part),
        ...(before !== undefined && { from: maskedPart(part, before) }),
        ...(kept.value !== undefined && { to: maskedPart(part, kept.value, before) }),
      })
    }
    // Also of what is not in use and was not corrected.
    const problems = problemsIn(next, parts)
    if (problems.length > 0) return { result: 'invalid', problems }
    if (masked.length === 0 && browser.current().lost === undefined) return { result: 'unchanged' }
    try {
      const act = {
        ...actBy(doer.by, clock.now),
        id,
        does: 'change-config' as const,
        about: null,
        changes: masked,
      }
      const result = await browser.put(next, revision, act)
      await apply()
      return { result }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      return { result: 'refused', why: `This could not be stored: ${error.message}. Try again later.` }
    }
  }

  function operatorsIn(next: BrowserConfig): readonly unknown[] {
    const operators = fileSection(file().value, 'operators') ?? next.operators
    return Array.isArray(operators) ? operators : []
  }

  function problemsIn(next: BrowserConfig, parts: readonly ConfigPart[]): FieldProblem[] {
    const added = newProblems(browser.unusable(), leftOutOf(next), parts)
    // What needs a part is found wrong, too, if the part cannot be used.
    const within = added.filter(({ made }) => parts.some((part) => isIn(part, made)))
    return (within.length > 0 ? within : added).map((problem) => fieldProblem(problem, parts))
  }

  function leftOutOf(next: BrowserConfig): readonly ConfigProblem[] {
    try {
      return composeUsable(file(), { made: next }).problems
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      return error.problems
    }
  }

  function lockedOut(): string | undefined {
    const { console } = effective.composed()
    return console !== undefined && isLockedOut(console) ? `${browser.whyLockedOut()}.` : undefined
  }

  return {
    refusal,
    lockedOut,
    section,
    channel,
    channels() {
      const names = [...fileChannels(file().value), ...(made().channels ?? [])].map(({ name }) => name)
      return names.flatMap((name) => {
        const { value: _, ...at } = channel(name) ?? { value: undefined }
        return 'from' in at ? [{ name, ...at }] : []
      })
    },
    change: (doer, part, becomes, revision) => changeAll(doer, [{ part, becomes }], revision),
    changeAll,
    revision: () => browser.current().revision,
  }
}

function maskedPart(part: ConfigPart, value: unknown, before?: unknown): unknown {
  return 'section' in part ? maskedSection(part.section, value, before) : maskedRaw(value, before)
}

export function nameOf(part: ConfigPart): string {
  return 'section' in part ? sectionPaths[part.section].join('.') : `channel ${part.channel}`
}

function madeValue(part: ConfigPart, made: BrowserConfig): unknown {
  return 'section' in part ? made[part.section] : made.channels?.find(({ name }) => name === part.channel)
}

function withPart(made: BrowserConfig, part: ConfigPart, value: unknown): BrowserConfig {
  if ('section' in part) {
    const { [part.section]: _, ...rest } = made
    return value === undefined ? rest : { ...rest, [part.section]: value }
  }
  const channels = made.channels ?? []
  const named = { ...Object(value), name: part.channel } as RawChannel
  if (value === undefined) return { ...made, channels: channels.filter(({ name }) => name !== part.channel) }
  const isThere = channels.some(({ name }) => name === part.channel)
  return {
    ...made,
    channels: isThere
      ? channels.map((other) => (other.name === part.channel ? named : other))
      : [...channels, named],
  }
}

/** What the schema does not ask of a file. */
function rulesOf(
  part: ConfigPart,
  {
    before,
    value,
    doer,
    operators,
  }: { before: unknown; value: unknown; doer: Doer; operators: readonly unknown[] },
  { console }: Config,
): FieldProblem[] {
  if ('channel' in part) {
    if (part.add === true && before !== undefined) {
      return [
        { path: ['name'], message: `there is another channel called ${part.channel}; names must differ` },
      ]
    }
    if (value === undefined && doer.by.via !== 'command' && operators.includes(part.channel)) {
      const message = `${part.channel} is notified of trouble; choose another channel for that first`
      return [{ path: [], message }]
    }
    const name: unknown = Object(value).name
    if (value === undefined || name === undefined || name === part.channel) return []
    return [{ path: ['name'], message: 'cannot be changed; add another channel, and remove this one' }]
  }
  const isAsked = part.section === 'users' && doer.by.via !== 'command'
  if (!isAsked || console?.oidc !== undefined || console?.proxy !== undefined) return []
  const isAdmin = (user: unknown) => Object(user).role === 'admin'
  if (Array.isArray(value) && value.some(isAdmin)) return []
  return [{ path: [], message: 'need an admin: without one, nobody could change anything here' }]
}

/** At the field, if it is in what was changed; else it names the part that is wrong. */
function fieldProblem({ made, key, message }: ConfigProblem, parts: readonly ConfigPart[]): FieldProblem {
  return made !== undefined && parts.length === 1 && parts.some((part) => isIn(part, made))
    ? { path: made.path, message }
    : { path: [], message: `${key}: ${message}`, elsewhere: true }
}

function isIn(part: ConfigPart, made: ConfigProblem['made']): boolean {
  if (made === undefined) return false
  return 'section' in part
    ? 'section' in made && made.section === part.section
    : 'channel' in made && made.channel === part.channel
}
