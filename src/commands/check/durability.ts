import type { CheckRow } from '../../channels/channel.ts'
import type { Inspected } from '../../store/postgres/inspect.ts'
import { fail, ok, warn } from './row.ts'

/** Whether what the database has taken outlives a crash of its machine, and the loss of it. Pure. */
export function durability({ fsync, fullPageWrites, synchronousStandbyNames }: Inspected): CheckRow[] {
  const off = [fsync === 'off' && 'fsync', fullPageWrites === 'off' && 'full_page_writes'].filter(Boolean)
  const crash =
    off.length > 0
      ? fail(
          'crash',
          `${off.join(' and ')} of the database is off: a crash of its machine may lose or damage what it has stored`,
          'turn it on; it is on by default',
        )
      : ok('crash', 'what is stored outlives a crash of the database’s machine')
  // Each commit of ours asks for synchronous_commit on, whatever the database has.
  const failover =
    synchronousStandbyNames !== ''
      ? ok(
          'failover',
          `a commit waits for a standby (${synchronousStandbyNames}): a failover to it loses nothing`,
        )
      : warn(
          'failover',
          'the database commits without waiting for a standby: where one takes over, events that were answered 2xx in the last moments may be lost',
          'where there is a standby, set synchronous_standby_names',
        )
  return [crash, failover]
}
