import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { systemClock } from '../../../src/platform/clock.ts'
import { hourMs } from '../../../src/platform/durations.ts'
import {
  clientSecret,
  type OpenIdProvider,
  signInThere,
  startOpenIdProvider,
} from '../../support/fakes/openid-provider.ts'
import { type Desk, openDesk } from './desk.ts'
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

/** A provider and a console that knows it, for all tests of a file, and the console's clock. */
export function oidcDesk() {
  let moved = 0
  const clock = { ...systemClock, now: () => Date.now() + moved }
  const ends: (() => Promise<void>)[] = []
  let made: { provider: OpenIdProvider; desk: Desk } | undefined
  const opened = () => {
    if (made === undefined) throw new Error('there is no console before the first test')
    return made
  }
  beforeAll(async () => {
    const provider = await startOpenIdProvider()
    ends.push(() => provider.close())
    const desk = await openDesk(
      { console: { oidc: oidcOf(provider) } },
      { closing: (end) => void ends.push(end), clock },
    )
    provider.trust([callbackOf(desk)])
    made = { provider, desk }
  })
  beforeEach(() => {
    // Who failed in the test before need not wait.
    moved += hourMs
    opened().provider.answerAsItIs()
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return {
    clock,
    pass(milliseconds: number) {
      moved += milliseconds
    },
    provider: () => opened().provider,
    desk: () => opened().desk,
  }
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
