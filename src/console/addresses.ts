import type { Request } from 'express'
import type { VisitParts } from './visit.ts'

/** The console's own address, for who reads it elsewhere: as it is configured, else as it was asked for. */
export function rootAddress(
  { headers }: Pick<Request, 'headers'>,
  { base, console }: Pick<VisitParts, 'base' | 'console'>,
): string {
  const { publicUrl } = console()
  const origin = publicUrl === undefined ? `http://${headers.host ?? 'localhost'}` : new URL(publicUrl).origin
  return `${origin}${base}`
}
