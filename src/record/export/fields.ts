import * as z from 'zod'

export const text = (description: string) => z.string().meta({ description })
export const number = (description: string) => z.number().meta({ description })
export const time = (description: string) =>
  z.iso.datetime().meta({ description: `${description}; ISO 8601, UTC` })

/** To the second: readers of data packages take no fractions. */
export function timeText(at: number | string): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z')
}
