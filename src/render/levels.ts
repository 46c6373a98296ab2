import type { Fact } from '../channels/message.ts'
import { isFinding, type ShownAlert } from '../event/event.ts'
import type { Level, Levels } from '../event/levels.ts'
import { counted } from '../text/counted.ts'
import { percentText, signed } from '../text/figures.ts'
import { plain } from '../text/plain.ts'
import { signedPoints } from './points.ts'
import type { Confirmed, OtherWay, Revised } from './words.ts'

/** A difference that rounding to whole points makes; the service writes whole ones. */
const alike = 0.5
/** Standard errors from which on chance does not explain a difference whose time was given: 95 percent. */
const clear = 1.96

/** What came later of the same change. */
interface Later {
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
export function levelsInWords(event: ShownAlert, levels: Levels | undefined): string | undefined {
  const { delta } = event
  if (levels === undefined || delta === null || !isOf(levels, event)) return undefined
  const difference = levels.now.rate - levels.before.rate
  if (difference * delta <= 0 || levels.standardErrors < clear) return undefined
  const [now, before, change] = inWhole(levels) ?? inTenths(levels)
  if (change === '0') return undefined
  const way = delta > 0 ? 'up' : 'down'
  return `${now} %, ${way} ${change} ${change === '1' ? 'point' : 'points'} from ${before} %`
}

function inWhole({ now, before }: Levels): string[] | undefined {
  const [after, first] = [Math.round(now.rate), Math.round(before.rate)]
  const change = Math.round(now.rate - before.rate)
  const isExact = after - first === change && change !== 0 && Math.min(after, first) > 0
  return isExact ? [after, first, Math.abs(change)].map(String) : undefined
}

function inTenths({ now, before }: Levels): string[] {
  const [after, first] = [Math.round(now.rate * 10), Math.round(before.rate * 10)]
  return [after, first, Math.abs(after - first)].map((tenths) => String(tenths / 10))
}

/** What the service says of the size, where the levels say otherwise. */
export function otherSize(
  { delta, ...event }: ShownAlert,
  { now, before, category }: Levels,
  service: string,
): string[] {
  const difference = now.rate - before.rate
  if (delta === null || isFinding(event) || Math.abs(delta - difference) <= alike) return []
  const of = isOf({ category }, event) ? '' : ` for ${nameOf(category)}`
  return [
    `The ${service} reports ${signedPoints(delta)}; its published figures show ${signed(difference)}${of}.`,
  ]
}

/** Both levels, and how sure their difference is: as the detector judged them, so that a reader can recompute it. */
export function levelFacts(
  event: ShownAlert,
  levels: Levels,
  { timeZone, revision }: Pick<Later, 'timeZone' | 'revision'>,
): Fact[] {
  const { before, now, since, drift, version, category } = levels
  const day = dayOf(since, timeZone)
  const of = isOf(levels, event) ? '' : `${nameOf(category)}: `
  const drifting = Math.abs(drift) < 0.05 ? '' : `, and a drift of ${signed(drift)} points`
  const read = now.readings === 1 ? `one reading, ${day}` : `${counted(now.readings, 'reading')} since ${day}`
  return [
    ...(version === undefined
      ? []
      : [{ label: 'Version', value: `${plain(version.from)} became ${plain(version.to)}` }]),
    {
      label: 'Before',
      value: `${of}${levelOf(before)} in ${counted(before.readings, 'reading')} before ${day}${drifting}`,
    },
    { label: revision?.by === 'figures' ? 'Then' : 'Now', value: `${of}${levelOf(now)} (${read})` },
    { label: 'How sure', value: sureness(levels) },
  ]
}

/** What else a reader must know of a finding before it is printed. */
export function levelCaveats(
  event: ShownAlert,
  levels: Levels,
  { timeZone, revision, confirmation }: Later,
): string[] {
  const { now, driftSince, alike: others } = levels
  const isProvisional =
    isFinding(event) && now.readings === 1 && driftSince === undefined && !revision && !confirmation
  return [
    ...(isProvisional ? ['Provisional: one reading shows it.'] : []),
    ...(driftSince === undefined ? [] : [`No step but a drift since ${dayOf(driftSince, timeZone)}.`]),
    ...(others === undefined
      ? []
      : [
          `${others.moved} of ${others.others} other models moved alike (${signed(others.points)} points in the middle): more likely a change of the measurement than of a model.`,
        ]),
  ]
}

function levelOf({ rate, prompts }: Level): string {
  return `${percentText(rate)}${prompts === null ? '' : ` of ${prompts.toLocaleString('en')} prompts`}`
}

/** "+11.6 points (95 %: 8.0 to 15.3); 6.2 standard errors, noise 1.0 × binomial". */
function sureness({ size, interval, standardErrors, noise, besides }: Levels): string {
  const [from, to] = interval.map((bound) => bound.toFixed(1).replace('-', '−'))
  const binomial = `noise ${noise.toFixed(noise < 0.995 ? 2 : 1)} × binomial`
  const more = besides < 0.05 ? '' : ` and an error of ${besides.toFixed(1)} points besides`
  return `${signed(size)} points (95 %: ${from} to ${to}); ${standardErrors.toFixed(1)} standard errors, ${binomial}${more}`
}

function isOf({ category }: Pick<Levels, 'category'>, event: Pick<ShownAlert, 'category'>): boolean {
  return nameOf(event.category ?? '') === nameOf(category)
}

function nameOf(category: string): string {
  const name = category.toLowerCase()
  return name === 'all' ? 'overall' : name
}

function dayOf(iso: string, timeZone: string): string {
  return new Date(iso).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone,
  })
}
