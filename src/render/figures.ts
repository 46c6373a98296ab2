import type { PublishedFigures } from '../event/event.ts'
import { plain } from '../text/plain.ts'
import type { Words } from '../words/words.ts'
import { fixed } from './points.ts'

/**
 * What the figures show where they have no levels: of a new version, and in what was stored before there were levels. The
 * sentence is stored in English; in other languages it is made from the numbers beside it. Undefined where nothing is known.
 */
export function figuresInWords(figures: PublishedFigures, words: Words): string | undefined {
  const { sentence } = figures
  if (words.language === 'en') return sentence === null ? undefined : plain(sentence, 500)
  return figures.rate === null ? versionIn(sentence, words) : fromNumbers(figures, figures.rate, words)
}

function fromNumbers(
  { sampleSize, baseline, baselineDays, standardErrors }: PublishedFigures,
  rate: number,
  words: Words,
): string {
  const isCompared = baseline !== null && baselineDays !== null
  return words.say('figuresShow', {
    rate: fixed(rate, 1, words),
    counted: sampleSize === null ? 'no' : 'yes',
    prompts: words.number(sampleSize ?? 0, { most: 0 }),
    compared: isCompared ? 'yes' : 'no',
    baseline: fixed(baseline ?? 0, 1, words),
    days: baselineDays ?? 0,
    judged: standardErrors === null ? 'no' : 'yes',
    errors: fixed(standardErrors ?? 0, 1, words),
  })
}

/** Labels of versions are stored in the sentence alone; such as could be parted in two ways are left out. */
function versionIn(sentence: string | null, words: Words): string | undefined {
  const [from, to, more] = (/^version (.+)$/s.exec(sentence ?? '')?.[1] ?? '').split(' became ')
  if (from === undefined || to === undefined || more !== undefined) return undefined
  return words.say('versionShown', { from: plain(from), to: plain(to) })
}
