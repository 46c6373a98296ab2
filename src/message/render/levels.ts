import { type AlertEvent, isFinding, type ShownAlert } from '../../event/event.ts'
import { chanceOf, type Level, type Levels } from '../../event/levels.ts'
import { plain } from '../../platform/text.ts'
import type { Fact } from '../message.ts'
import type { PhraseArguments } from '../words/phrases.ts'
import type { Words } from '../words/words.ts'
import { signedPoints, withTenths } from './points.ts'
import { type LaterReports, unrecognisedOf, type Wording } from './words.ts'

/** A difference that rounding to whole points makes; the service writes whole ones. */
const alike = 0.5
/** In standard errors: 95 of 100 differences that are chance alone are smaller, if their time was given. */
const clear = 1.96

/**
 * The levels that a message shows: those that bear a finding out before its own, and those of a finding, which were sent as
 * such, before those of a report.
 */
export function levelsOf(event: ShownAlert, { other, confirmation }: LaterReports = {}): Levels | undefined {
  if (isFinding(event) && event.revises !== undefined) return undefined
  if (isFinding(event)) return confirmation?.figures?.levels ?? event.figures?.levels
  const isOfThis =
    other?.by === 'figures' && other.revision === undefined && isReadSince(other.figures, event)
  const ofFinding = isOfThis ? other.figures?.levels : undefined
  const ofReport = event.figures?.levels
  // A change of one category may have been found in the overall rate.
  if (ofFinding && ofReport && !isOf(ofFinding, event) && isOf(ofReport, event)) return ofReport
  return ofFinding ?? ofReport
}

/** The one size that a message states, and how the published figures compare with it. */
export interface StatedSize {
  /** Percentage points, signed; null if it cannot be read. */
  points: number | null
  /** Both sides of the change, if the published figures agree with that size: rounding and noise aside. */
  levels?: Levels
  /** Both sides, if they show another size. */
  otherLevels?: Levels
  /** Of a finding: what the service reports of the same change, if that is another size. */
  reported?: number
}

/** The size of an alert is its own: of a report what the service says, of a finding what the published figures show. Pure. */
export function statedSize(event: ShownAlert, later: LaterReports = {}): StatedSize {
  const levels = levelsOf(event, later)
  const { other } = later
  // A change of one category may have been found in the overall rate: that is another figure.
  if (levels === undefined || !isOf(levels, event)) return { points: event.delta }
  const shown = differenceIn(levels)
  if (isFinding(event)) {
    const isReported = other?.by === 'service' && isOf({ category: other.category ?? '' }, event)
    const reported = isReported ? other.delta : null
    return { points: shown, levels, ...(reported !== null && !isAlike(reported, shown) && { reported }) }
  }
  const reported = event.delta
  if (reported === null) return { points: null }
  const agrees = isAlike(reported, shown) || (reported * shown > 0 && isWithin(reported, levels))
  return agrees ? { points: reported, levels } : { points: reported, otherLevels: levels }
}

function isAlike(reported: number, shown: number): boolean {
  return Math.abs(reported - shown) <= alike
}

function isWithin(points: number, { interval: [from, to] }: Levels): boolean {
  return from <= points && points <= to
}

/** Percentage points, to a tenth. */
function differenceIn({ now, before }: Levels): number {
  return Number((now.rate - before.rate).toFixed(1)) + 0
}

/** Whether no reading behind the level after a change is older than the report of it. */
function isReadSince(figures: ShownAlert['figures'], { detectedAt }: ShownAlert): boolean {
  if (!figures?.levels || detectedAt === null) return true
  const { firstRead, now, since } = figures.levels
  const oldest = firstRead ?? (now.readings === 1 ? figures.readAt : since)
  return oldest === null || Date.parse(oldest) >= Date.parse(detectedAt)
}

/**
 * "30%, up from 18%", if the levels differ by the size that the message states, and by more than chance usually makes. In whole
 * percent if these add up, else to a tenth.
 */
export function levelsInWords(
  { points, levels }: StatedSize,
  words: Words,
): Pick<PhraseArguments['refusesLevels'], 'now' | 'before'> | undefined {
  if (levels === undefined || points === null || levels.standardErrors < clear) return undefined
  const shown = differenceIn(levels)
  if (shown * points <= 0 || !isAlike(points, shown)) return undefined
  const { now, before } = inWhole(levels, shown) ?? {
    now: Number(levels.now.rate.toFixed(1)),
    before: Number(levels.before.rate.toFixed(1)),
  }
  const figure = (value: number) => words.number(value, { most: 1 })
  return { now: figure(now), before: figure(before) }
}

function inWhole({ now, before }: Levels, shown: number): { now: number; before: number } | undefined {
  const [after, first] = [Math.round(now.rate), Math.round(before.rate)]
  const isExact = after - first === Math.round(shown) && after !== first && Math.min(after, first) > 0
  return isExact ? { now: after, before: first } : undefined
}

/** One sentence with both sizes, if the service and its published figures differ. */
export function otherSize(
  { points, levels, otherLevels, reported }: StatedSize,
  { service, words }: Wording,
): string[] {
  const [size, shown] = reported === undefined ? [points, otherLevels] : [reported, levels]
  if (size === null || shown === undefined) return []
  const { now, before } = shown
  return [
    words.say('otherSize', {
      service,
      reported: signedPoints(size, words),
      shown: signedTenth(differenceIn(shown), words),
      before: withTenths(before.rate, words),
      now: withTenths(now.rate, words),
    }),
  ]
}

/** As a reader sees it: one end is shown as 0.0, or the ends differ in sign. */
function hardlyExcludesZero({ interval: [from, to] }: Levels): boolean {
  return from * to <= 0 || Math.min(Math.abs(from), Math.abs(to)) < 0.05
}

/** Both levels, and the range of the change if it has the size that the message states. */
export function levelFacts(
  { points, levels }: StatedSize,
  { words, timeZone, revision }: Omit<Wording, 'service'> & LaterReports,
): Fact[] {
  if (levels === undefined) return []
  const { say } = words
  const { before, now, since, drift, version, interval, standardErrors } = levels
  const day = words.day(since, timeZone)
  const drifting = Math.abs(drift) < 0.05 ? 'no' : 'yes'
  const drifted = { drifting, drift: signedTenth(drift, words), count: tenth(drift) } as const
  const [from, to] = interval
  const chance = chanceOf(standardErrors)
  const sureness = {
    chance: chance === 'very-unlikely' ? 'very' : chance,
    // Something changed, and the range alone would say that perhaps nothing did.
    size: chance !== 'possible' && hardlyExcludesZero(levels) ? 'open' : 'clear',
    from: signedTenth(from, words),
    to: signedTenth(to, words),
  } as const
  const facts: Fact[] = []
  if (version !== undefined) {
    const labels = { from: plain(version.from), to: plain(version.to) }
    facts.push({ label: say('version'), value: say('versionBecame', labels) })
  }
  facts.push(
    { label: say('before'), value: say('levelBefore', { day, ...levelOf(before, words), ...drifted }) },
    {
      label: say(revision?.by === 'figures' ? 'atTheTime' : 'now'),
      value: say('levelNow', { day, ...levelOf(now, words) }),
    },
  )
  if (points !== null && isWithin(points, levels))
    facts.push({ label: say('sureness'), value: say('howSure', sureness) })
  return facts
}

/**
 * Whether it was found in one reading, and nothing came since: no readings that bear it out or do not, and no report of the
 * service. Pure.
 */
export function isProvisional(
  event: ShownAlert,
  { other, revision, confirmation }: LaterReports = {},
): boolean {
  const { now, driftSince } = event.figures?.levels ?? {}
  const isAlone = (other ?? revision ?? confirmation) === undefined
  return isFinding(event) && isAlone && now?.readings === 1 && driftSince === undefined
}

/** What a reader must know of an alert before it is printed. */
export function caveatsOf(
  event: ShownAlert & Partial<Pick<AlertEvent, 'body'>>,
  context: Wording & LaterReports,
): string[] {
  const levels = levelsOf(event, context)
  const isUnseen = event.figures?.state === 'not-yet' && context.other === undefined
  return [
    ...(levels === undefined ? [] : levelCaveats(event, levels, context)),
    ...(isUnseen ? [context.words.say('notVisibleYet')] : []),
    ...unrecognisedOf(event, context),
  ]
}

/** What a reader must know of it before it is printed, in one line of a message about several alerts. */
export function standingOf(item: ShownAlert): { found: 'yes' | 'no'; incomplete: 'yes' | 'no' } {
  return {
    found: isFinding(item) ? 'yes' : 'no',
    incomplete: item.unrecognised.length > 0 ? 'yes' : 'no',
  }
}

function levelCaveats(
  event: ShownAlert,
  { driftSince, alike: others }: Levels,
  context: Wording & LaterReports,
): string[] {
  const { words, timeZone } = context
  const caveats = isProvisional(event, context) ? [words.say('provisional')] : []
  if (driftSince !== undefined)
    caveats.push(words.say('gradualSince', { day: words.day(driftSince, timeZone) }))
  if (others !== undefined) {
    const points = { points: signedTenth(others.points, words), count: tenth(others.points) }
    caveats.push(words.say('otherModelsChanged', { moved: others.moved, others: others.others, ...points }))
  }
  return caveats
}

function levelOf({ rate, prompts, readings }: Level, words: Words) {
  return {
    rate: withTenths(rate, words),
    counted: prompts === null ? 'no' : 'yes',
    prompts: prompts === null ? '' : words.number(prompts, { most: 3 }),
    readings,
  } as const
}

/** "+11.6", "−0.8", "0.0". */
function signedTenth(value: number, words: Words): string {
  const text = withTenths(Math.abs(value), words)
  if (tenth(value) === 0) return text
  return value > 0 ? `+${text}` : `−${text}`
}

/** Which form of "point" follows it. */
function tenth(value: number): number {
  return Math.abs(Number(value.toFixed(1)))
}

function isOf({ category }: Pick<Levels, 'category'>, event: ShownAlert): boolean {
  return nameOf(event.category ?? '') === nameOf(category)
}

function nameOf(category: string): string {
  const name = category.toLowerCase()
  return name === 'all' ? 'overall' : name
}
