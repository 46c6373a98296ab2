import { expect } from 'vitest'
import { clientSecret, type OpenIdProvider, signInThere } from '../../support/fakes/openid-provider.ts'
import type { Desk } from './desk.ts'
import type { Visitor } from './visitor.ts'

/** A console's settings for a provider. */
export const oidcOf = (of: OpenIdProvider, more: object = {}) => ({
  issuer: of.issuer,
  clientId: 'desk',
  clientSecret,
  name: 'the desk’s account',
  roles: {
    groups: { 'newsroom-admins': 'admin', newsroom: 'editor' },
    emails: { 'eve@desk.example': 'reader' },
  },
  ...more,
})

export function callbackOf({ url }: Pick<Desk, 'url'>): string {
  return `${url.replace(/\/$/, '')}/sign-in/oidc/callback`
}

/** Where the provider asks who somebody is, as the console sends them there. */
export async function begun(visitor: Visitor, to = '/alerts'): Promise<string> {
  const { status, headers } = await visitor.see(`/sign-in/oidc?to=${encodeURIComponent(to)}`)
  expect(status).toBe(303)
  return String(headers.location)
}

/** What the console answers to whom the provider has sent back. */
export async function comeBack(visitor: Visitor, back: URL, headers: Record<string, string> = {}) {
  const below = back.pathname.slice(back.pathname.indexOf('/sign-in'))
  return await visitor.see(`${below}${back.search}`, headers)
}

export async function signIn(visitor: Visitor, who: string | undefined, to?: string) {
  return await comeBack(visitor, await signInThere(await begun(visitor, to), who))
}

/** The one sentence on the page to which a failure leads. */
export async function sentenceOf(visitor: Visitor, answer: Awaited<ReturnType<typeof signIn>>) {
  expect(answer.status).toBe(303)
  const place = String(answer.headers.location)
  expect(place).toMatch(/^\/console\/sign-in\?why=/)
  const { html, status } = await visitor.see(place.slice('/console'.length))
  return { status, text: /role="alert">([^<]*)</.exec(html)?.[1] }
}
