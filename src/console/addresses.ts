import type { Request } from 'express'
import type { ConsoleRequestParts } from './request.ts'

/** Where an OpenID provider sends people back to, below the console's address: it is registered there. */
export const callbackPath = '/sign-in/oidc/callback'

/** The console's own address, for who reads it elsewhere: as it is configured, else as it was asked for. */
export function rootAddress(
  { headers }: Pick<Request, 'headers'>,
  { base, console }: Pick<ConsoleRequestParts, 'base' | 'console'>,
): string {
  const { publicUrl } = console()
  const origin = publicUrl === undefined ? `http://${headers.host ?? 'localhost'}` : new URL(publicUrl).origin
  return `${origin}${base}`
}
