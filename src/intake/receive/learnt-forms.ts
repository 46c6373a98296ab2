import * as z from 'zod'
import { createKeyring } from './signing-keys.ts'

const Form = z.object({
  hash: z.enum(['sha256', 'sha512', 'sha384', 'sha1']),
  encoding: z.enum(['hex', 'base64', 'base64url']),
  key: z.enum(['whole', 'without-prefix', 'base64-decoded']),
})
const Forms = z.record(z.string(), Form)

/** The signature form that verified last for each secret; kept over restarts, and shown by `check`. */
export interface LearntForms {
  get(secret: string): z.infer<typeof Form> | undefined
  set(secret: string, form: z.infer<typeof Form>): void
}

/** Secrets are known by a fingerprint, so that what is stored and shown gives none away. */
export async function recallForms(state: {
  read(): Promise<unknown>
  change(change: (before: unknown) => unknown): Promise<void>
  onError(error: unknown): void
}): Promise<LearntForms> {
  const known = Forms.catch({})
  const forms = known.parse(await state.read())
  const { fingerprintOf } = createKeyring()

  return {
    get: (secret) => forms[fingerprintOf(secret)],
    set(secret, form) {
      const fingerprint = fingerprintOf(secret)
      forms[fingerprint] = form
      state.change((before) => ({ ...known.parse(before), [fingerprint]: form })).catch(state.onError)
    },
  }
}
