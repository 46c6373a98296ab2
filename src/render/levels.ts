import type { Fact } from '../channels/message.ts'
import { isFinding, type ShownAlert } from '../event/event.ts'
import type { Level, Levels } from '../event/levels.ts'
import { plain } from '../text/plain.ts'
import type { Said } from '../words/said.ts'
import type { Words } from '../words/words.ts'
import { fixed, signedPoints } from './points.ts'
import { type Confirmed, categoryIn, type OtherWay, type Revised } from './words.ts'

/** A difference that rounding to whole points makes; the service writes whole ones. */
const alike = 0.5
/** Standard errors from which on chance does not explain a difference whose time was given: 95 percent. */
const clear = 1.96

/** What came later of the same change, and how it is said. */
interface Later {
  words: Words
  timeZone: string
  other?: OtherWay | undefined
  revision?: Revised | undefined
  confirmation?: Confirmed | undefined
}

/**
 * The levels that a message shows: those that bear a finding out before its own, and those of a finding, which were sent as
 * such, before those of a report.
 */
export function levelsOf(
  event: ShownAlert,
  { other, confirmation }: Pick<Later, 'other' | 'confirmation'> = {},
): Levels | undefined {
  if (isFinding(event) && event.revises !== undefined) return undefined
  if (isFinding(event)) return confirmation?.figures?.levels ?? event.figures?.levels
  const found = other?.by === 'figures' && other.revision === undefined ? other.figures?.levels : undefined
  const own = event.figures?.levels
  // A change of one category may have been found in the overall rate.
  if (found !== undefined && own !== undefined && !isOf(found, event) && isOf(own, event)) return own
  return found ?? own
}

/**
 * "30 %, up 12 points from 18 %", where the levels are of what the event is about, go the way that it says, and differ by more
 * than chance explains. In whole percent where these add up, else to a tenth.
 */
export function levelsInWords(
  event: ShownAlert,
  levels: Levels | undefined,
  words: Words,
): Pick<Said['refusesLevels'], 'now' | 'before' | 'change' | 'count'> | undefined {
  const { delta } = event
  if (levels === undefined || delta === null || !isOf(levels, event)) return undefined
  const difference = levels.now.rate - levels.before.rate
  if (difference * delta <= 0 || levels.standardErrors < clear) return undefined
  const { now, before, change } = inWhole(levels) ?? inTenths(levels)
  if (change === 0) return undefined
  const figure = (value: number) => words.number(value, { most: 1 })
  return { now: figure(now), before: figure(before), change: figure(change), count: change }
}

interface Shown {
  now: number
  before: number
  change: number
}

function inWhole({ now, before }: Levels): Shown | undefined {
  const [after, first] = [Math.round(now.rate), Math.round(before.rate)]
  const change = Math.round(now.rate - before.rate)
  const isExact = after - first === change && change !== 0 && Math.min(after, first) > 0
  return isExact ? { now: after, before: first, change: Math.abs(change) } : undefined
}

function inTenths({ now, before }: Levels): Shown {
  const [after, first] = [Math.round(now.rate * 10), Math.round(before.rate * 10)]
  return { now: after / 10, before: first / 10, change: Math.abs(after - first) / 10 }
}

/** What the service says of the size, where the levels say otherwise. */
export function otherSize(
  { delta, ...event }: ShownAlert,
  { now, before, category }: Levels,
  { service, words }: { service: string; words: Words },
): string[] {
  const difference = now.rate - before.rate
  if (delta === null || isFinding(event) || Math.abs(delta - difference) <= alike) return []
  return [
    words.say('otherSize', {
      service,
      reported: signedPoints(delta, words),
      shown: signedTenth(difference, words),
      of: isOf({ category }, event) ? 'no' : 'yes',
      category: nameIn(words, category),
    }),
  ]
}

/** Both levels, and how sure their difference is: as the detector judged them, so that a reader can recompute it. */
export function levelFacts(
  event: ShownAlert,
  levels: Levels,
  { words, timeZone, revision }: Pick<Later, 'words' | 'timeZone' | 'revision'>,
): Fact[] {
  const { before, now, since, drift, version, category } = levels
  const shared = {
    of: isOf(levels, event) ? 'no' : 'yes',
    category: nameIn(words, category),
    day: words.day(since, timeZone),
  } as const
  const drifting = Math.abs(drift) < 0.05 ? 'no' : 'yes'
  const drifted = { drifting, drift: signedTenth(drift, words), count: tenth(drift) } as const
  return [
    ...(version === undefined
      ? []
      : [
          {
            label: words.say('version'),
            value: words.say('versionBecame', { from: plain(version.from), to: plain(version.to) }),
          },
        ]),
    {
      label: words.say('before'),
      value: words.say('levelBefore', { ...shared, ...levelOf(before, words), ...drifted }),
    },
    {
      label: words.say(revision?.by === 'figures' ? 'formerly' : 'now'),
      value: words.say('levelNow', { ...shared, ...levelOf(now, words) }),
    },
    { label: words.say('howSure'), value: sureness(levels, words) },
  ]
}

/** What else a reader must know of a finding before it is printed. */
export function levelCaveats(
  event: ShownAlert,
  levels: Levels,
  { words, timeZone, revision, confirmation }: Later,
): string[] {
  const { now, driftSince, alike: others } = levels
  const isProvisional =
    isFinding(event) && now.readings === 1 && driftSince === undefined && !revision && !confirmation
  return [
    ...(isProvisional ? [words.say('provisional')] : []),
    ...(driftSince === undefined ? [] : [words.say('driftSince', { day: words.day(driftSince, timeZone) })]),
    ...(others === undefined
      ? []
      : [
          words.say('movedAlike', {
            moved: others.moved,
            others: others.others,
            points: signedTenth(others.points, words),
            count: tenth(others.points),
          }),
        ]),
  ]
}

function levelOf({ rate, prompts, readings }: Level, words: Words) {
  return {
    rate: fixed(rate, 1, words),
    counted: prompts === null ? 'no' : 'yes',
    prompts: prompts === null ? '' : words.number(prompts, { most: 3 }),
    readings,
  } as const
}

/** "+11.6 points (95 %: 8.0 to 15.3); 6.2 standard errors, noise 1.0 × binomial". */
function sureness({ size, interval, standardErrors, noise, besides }: Levels, words: Words): string {
  const [from, to] = interval
  return words.say('sureness', {
    size: signedTenth(size, words),
    count: tenth(size),
    from: fixed(from, 1, words),
    to: fixed(to, 1, words),
    errors: fixed(standardErrors, 1, words),
    noise: fixed(noise, noise < 0.995 ? 2 : 1, words),
    more: besides < 0.05 ? 'no' : 'yes',
    besides: fixed(besides, 1, words),
  })
}

/** "+11.6", "−0.8", "0.0". */
function signedTenth(value: number, words: Words): string {
  const text = fixed(Math.abs(value), 1, words)
  if (tenth(value) === 0) return text
  return value > 0 ? `+${text}` : `−${text}`
}

/** Which form of "point" follows it. */
function tenth(value: number): number {
  return Math.abs(Number(value.toFixed(1)))
}

function isOf({ category }: Pick<Levels, 'category'>, event: Pick<ShownAlert, 'category'>): boolean {
  return nameOf(event.category ?? '') === nameOf(category)
}

function nameOf(category: string): string {
  const name = category.toLowerCase()
  return name === 'all' ? 'overall' : name
}

function nameIn(words: Words, category: string): string {
  return words.say('category', categoryIn(nameOf(category)))
}
