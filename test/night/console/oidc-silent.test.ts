import { expect, test } from 'vitest'
import { signInThere, startOpenIdProvider } from '../../support/fakes/openid-provider.ts'
import { openDesk } from '../../system/console/desk.ts'
import { begun, callbackOf, comeBack, oidcOf, sentenceOf } from '../../system/console/oidc-desk.ts'

test('a provider that says nothing holds nobody else up, and is given up on after seconds', {
  timeout: 30_000,
}, async () => {
  const [slow, mute] = [await startOpenIdProvider(), await startOpenIdProvider()]
  const [at, other] = [
    await openDesk({ console: { oidc: oidcOf(slow) } }),
    await openDesk({ console: { oidc: oidcOf(mute) } }),
  ]
  slow.trust([callbackOf(at)])
  const [visitor, early] = [at.visitor(), other.visitor()]
  const back = await signInThere(await begun(visitor), 'ana')
  for (const provider of [slow, mute]) provider.answerWith(() => true)
  const began = performance.now()
  const coming = [comeBack(visitor, back), early.see('/sign-in/oidc')] as const
  expect((await at.visitor().see('/sign-in')).status).toBe(200)
  expect(performance.now() - began).toBeLessThan(2_000)
  expect(await sentenceOf(visitor, await coming[0])).toMatchObject({ status: 503 })
  expect(await sentenceOf(early, await coming[1])).toMatchObject({ status: 503 })
  expect(performance.now() - began).toBeLessThan(9_000)
  await Promise.all([slow.close(), mute.close()])
})
