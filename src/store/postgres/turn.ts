import type { Transaction } from './database.ts'
import { lockKinds } from './keys.ts'

/**
 * Until the commit: what has a higher number is never seen before what has a lower one. Else an event would be sent before one
 * that came before it, and news be missed. Taken after every other lock, so that nobody who has it waits for another.
 */
export function takeTurn({ write }: Pick<Transaction, 'write'>): void {
  write('select pg_advisory_xact_lock($1, 0)', [lockKinds.order])
}
