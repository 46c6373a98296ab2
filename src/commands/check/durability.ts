import type { CheckRow } from '../../channels/channel.ts'
import { counted } from '../../platform/text.ts'
import type { InspectedDatabase } from '../../store/postgres/inspect.ts'
import { mostApartMs } from '../../store/store.ts'
import { fail, ok, warn } from './row.ts'

/** The oldest that the store was tried with. */
const oldest = 150_000

/** What of the database's settings may cost events, or show them to others. Pure. */
export function durability(found: InspectedDatabase): CheckRow[] {
  return [
    ...version(found),
    crash(found),
    failover(found),
    connection(found),
    ...pooler(found),
    ...clock(found),
  ]
}

function version({ versionNumber, version: name }: InspectedDatabase): CheckRow[] {
  if (versionNumber >= oldest) return []
  return [fail('version', `Postgres ${name} is too old`, 'Bluepencil was tried with 15 and newer')]
}

/** Whether what it has taken outlives a crash of its machine. */
function crash({ fsync, fullPageWrites, synchronousCommit }: InspectedDatabase): CheckRow {
  const off = [fsync === 'off' && 'fsync', fullPageWrites === 'off' && 'full_page_writes'].filter(Boolean)
  if (off.length > 0) {
    const text = `${off.join(' and ')} of the database is off: a crash of its machine may lose or damage what it has stored`
    return fail('crash', text, 'turn it on; it is on by default')
  }
  const asked =
    synchronousCommit === 'off' ? '; synchronous_commit is off there, and each commit asks for on' : ''
  return ok('crash', `what is stored outlives a crash of the database’s machine${asked}`)
}

/** Whether it outlives the loss of that machine. */
function failover({ synchronousStandbyNames: names, standbys }: InspectedDatabase): CheckRow {
  if (names !== '') {
    const text = `a commit waits for a standby (${names}): a failover to it loses nothing`
    if (standbys > 0) return ok('failover', text)
    return warn(
      'failover',
      `${text}; none can be seen now, and without one no commit ends`,
      'see that the standby runs, or that this user may see it (pg_monitor)',
    )
  }
  const lost = 'where one takes over, events that were answered 2xx in the last moments may be lost'
  if (standbys > 0) {
    return warn(
      'failover',
      `${counted(standbys, 'standby', 'standbys')} of the database, and it commits without waiting for any: ${lost}`,
      'set synchronous_standby_names',
    )
  }
  return warn(
    'failover',
    `the database commits without waiting for a standby: ${lost}`,
    'where there is a standby, set synchronous_standby_names',
  )
}

function connection({ guard }: InspectedDatabase): CheckRow {
  switch (guard) {
    case 'here':
      return ok('connection', 'on this machine, without TLS')
    case 'verified':
      return ok('connection', 'by TLS; the certificate is verified')
    case 'not verified':
      return warn(
        'connection',
        'by TLS, and the certificate is not verified: whoever is on the way can read and change everything',
        'leave sslmode out of the address, and name a private authority by sslrootcert',
      )
    case 'in the clear':
      return warn(
        'connection',
        'in the clear: whoever is on the way can read the password and all that is stored',
        'leave sslmode=disable out of the address',
      )
  }
}

function pooler({ isPooled }: InspectedDatabase): CheckRow[] {
  if (!isPooled) return []
  const text =
    'a pooler stands between; in transaction mode, what processes tell one another arrives within three seconds instead of at once'
  return [ok('pooler', text)]
}

function clock({ aheadMs }: InspectedDatabase): CheckRow[] {
  if (Math.abs(aheadMs) <= mostApartMs) return []
  const far = counted(Math.round(Math.abs(aheadMs) / 1_000), 'second')
  const text = `this machine’s clock is ${far} ${aheadMs > 0 ? 'behind' : 'ahead of'} the database’s; what is due goes by the database’s`
  return [warn('clock', text, 'set both by NTP')]
}
