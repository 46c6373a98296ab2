import * as z from 'zod'
import type { Receipt } from '../../event/outcome.ts'

const Place = z.object({ guild_id: z.string() })

/** The address of a message in its server, by what Discord says of its channel or webhook; undefined for one that is in no server. */
export function jumpLink(answer: unknown, { place, id }: Receipt): string | undefined {
  const { data } = Place.safeParse(answer)
  if (data === undefined || place === undefined || id === undefined) return undefined
  return `https://discord.com/channels/${data.guild_id}/${place}/${id}`
}
