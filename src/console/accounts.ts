import * as z from 'zod'
import { Role } from '../config/values.ts'
import type { Doer } from '../people/converse/acts.ts'
import { byItself, type OwnFeeds } from '../people/converse/own-feeds.ts'
import type { ConfigChanged } from '../people/converse/settings.ts'
import { hashOf, shortestPassword } from './access/password.ts'
import type { ConfigEditing } from './parts.ts'

const UserAccount = z.object({ name: z.string(), password: z.string(), role: Role.default('reader') })
export type UserAccount = z.infer<typeof UserAccount>
const Accounts = z.array(UserAccount).catch([])

type AccountsEditing = Pick<ConfigEditing, 'section' | 'change' | 'revision'>

/** Who may sign in with a password. */
export function accountsOf(editing: Pick<ConfigEditing, 'section'>): UserAccount[] {
  return Accounts.parse(editing.section('users').value ?? [])
}

/** Changes the accounts as they are when it is done: of two people at once, neither undoes what the other did. */
export async function changeAccounts(
  editing: AccountsEditing,
  doer: Doer,
  how: (accounts: readonly UserAccount[]) => readonly UserAccount[],
): Promise<ConfigChanged> {
  for (let tries = 0; ; tries += 1) {
    const revision = editing.revision()
    const changed = await editing.change(doer, { section: 'users' }, how(accountsOf(editing)), revision)
    if (changed.result !== 'outrun' || tries === 3) return changed
  }
}

/** Before an account is made: feeds that an earlier person of this name has left are not for the new one. */
export async function withdrawLeftFeeds(
  name: string,
  feeds: Pick<OwnFeeds, 'of' | 'withdraw'>,
): Promise<void> {
  for (const feed of await feeds.of({ by: 'password', name })) await feeds.withdraw(byItself, feed)
}

export const passwordRule = `At least ${shortestPassword} characters. Several words are easy to remember.`

/** Why a password cannot be one; undefined if it can. */
export function whyNoPassword(
  password: string,
  again: string,
): Record<'password' | 'again', string | undefined> {
  const isShort = password.length < shortestPassword
  return {
    password: isShort ? `A password has at least ${shortestPassword} characters.` : undefined,
    again: !isShort && password !== again ? 'The two passwords are not the same.' : undefined,
  }
}

/** Gives somebody a new password. Their sessions end with the one before. */
export async function setPassword(
  editing: AccountsEditing,
  doer: Doer,
  { name, password }: { name: string; password: string },
): Promise<ConfigChanged & { hash: string }> {
  const hash = await hashOf(password)
  const how = (accounts: readonly UserAccount[]) =>
    accounts.map((one) => (one.name === name ? { ...one, password: hash } : one))
  return { ...(await changeAccounts(editing, doer, how)), hash }
}

/** What to say if a change was not made; undefined if it was. */
export function whyUnchanged(changed: ConfigChanged): string | undefined {
  if (changed.result === 'refused') return changed.why
  if (changed.result === 'outrun') return meanwhile
  if (changed.result === 'invalid') {
    return changed.problems.map(({ path, message }) => sentenceOf([...path, message].join(' '))).join(' ')
  }
  return undefined
}

export const meanwhile =
  'Somebody else changed this after you opened the form. Check what is set now, and try again.'

export function sentenceOf(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
