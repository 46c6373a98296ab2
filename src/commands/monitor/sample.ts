import type { RateName } from '../../service/client/readers/rates.ts'
import type { SampleSizes } from '../../service/client/readers/sample-size.ts'

export interface AnsweredSizes {
  /** Prompts in all. */
  sampleSize: number | null
  sampleSizes: SampleSizes
}

/** The prompts behind a rate: its category's own, else all of them, of which the category is a part. */
export function sizeOf(name: RateName, { sampleSize, sampleSizes }: AnsweredSizes): number | null {
  return sampleSizes[name] ?? sampleSize
}

/** What intervals mean, and for which rates they are too narrow. Empty where there is none. */
export function intervalNote(names: readonly RateName[], sizes: AnsweredSizes): string {
  const sized = names.filter((name) => sizeOf(name, sizes) !== null)
  if (sized.length === 0) return ''
  const narrow = sized.filter((name) => name !== 'overall' && sizes.sampleSizes[name] === null)
  const but =
    narrow.length === 0
      ? ''
      : ` ${narrow.join(', ')}: counted with all prompts, as the category’s own number is not given; wider in truth.`
  return `95% intervals are of the sampling alone.${but}`
}
