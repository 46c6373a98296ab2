import type { CheckRow } from '../../channels/channel.ts'
import { kindOf } from '../../channels/registry.ts'
import { proxyNotNamed } from '../../config/console.ts'
import type { Config } from '../../config/schema.ts'
import { isLoopback } from '../../platform/outbound/address.ts'
import { listed } from '../../platform/text.ts'
import { warn } from './row.ts'

/** What can be used as it is configured, and may not be what was meant. Pure. */
export function doubts(config: Config): CheckRow[] {
  return [
    ...aboutOperators(config),
    ...aboutAddress(config),
    ...aboutScopes(config),
    ...aboutMail(config),
    ...aboutProxy(config),
    ...config.channels.flatMap(aboutPoints),
  ]
}

/** The names that are kept for examples and tests (RFC 2606, RFC 6761): nobody has them. */
export function isReservedName(host: string): boolean {
  return /(^|\.)(example|test|invalid|example\.(com|net|org))\.?$/i.test(host)
}

function aboutOperators({ operators, channels, heartbeat }: Config): CheckRow[] {
  const what = 'operators'
  const names = channels.map(({ name }) => name)
  if (operators.length === 0) {
    const text =
      'there are none: nobody is notified if a channel fails, the subscription is lost or the disk is full'
    return [warn(what, text, `write operators: with the name of a channel (${names.join(', ')})`)]
  }
  // Trouble of a channel keeps readyz from being `ready`, and so ends the signs of life.
  if (heartbeat !== undefined) return []
  const domains = channels
    .filter(({ name }) => operators.includes(name))
    .map((channel) => kindOf(channel).failureDomain(channel))
  const [domain, ...others] = new Set(domains)
  if (domain === undefined || others.length > 0) return []
  const operatorNames = [...new Set(operators)]
  const hint = 'add a channel of another kind to operators, or set heartbeat'
  if (names.length === 1) {
    return [warn(what, `${operatorNames[0]} is the only channel: if it fails, nobody is notified`, hint)]
  }
  const shared = operatorNames.length === 1 ? 'is the only channel under operators' : `all use ${domain}`
  const text = `${listed(operatorNames, 'and')} ${shared}: if that fails, readers of other channels get the notices`
  return [warn(what, text, hint)]
}

function aboutAddress({ webhook: { publicUrl } }: Config): CheckRow[] {
  if (publicUrl === undefined) return []
  const what = 'publicUrl'
  const { hostname, protocol } = new URL(publicUrl)
  if (isReservedName(hostname)) {
    const text = `${hostname} is an example name: no webhook can arrive there`
    return [warn(what, text, 'write the address at which the monitoring service reaches Bluepencil')]
  }
  if (protocol === 'https:' || isLoopback(hostname)) return []
  const text = `${publicUrl} is not https: others in the network can read and block webhooks, but not forge them`
  return [warn(what, text, 'put a proxy with TLS in front (docs/run.md), and write https://')]
}

/** "Managing webhooks through OAuth requires the scope webhooks.write" (interface specification, "Authentication", 4). */
function aboutScopes({ monitor, webhook }: Config): CheckRow[] {
  const scopes = monitor?.oauth?.scopes
  if (scopes === undefined || webhook.publicUrl === undefined || scopes.includes('webhooks.write')) return []
  const text = 'monitor.oauth.scopes lacks webhooks.write, so Bluepencil cannot subscribe'
  return [warn('scopes', text, 'add it, or leave scopes out')]
}

/** A change of 5% is often thought of as 0.05. */
function aboutPoints({ name, minDelta, quiet, digest }: Config['channels'][number]): CheckRow[] {
  const pointsByKey = {
    minDelta,
    'quiet.unless.minDelta': quiet?.unless?.minDelta,
    'digest.unless.minDelta': digest?.unless?.minDelta,
  }
  return Object.entries(pointsByKey).flatMap(([key, points = 0]) => {
    if (points === 0 || points >= 1) return []
    const meant = Number((points * 100).toFixed(6))
    const text = `${key} of ${name} is ${points}, less than one percentage point`
    return [warn('filters', text, `write ${meant} where ${meant} points are meant`)]
  })
}

function aboutMail({ email, channels }: Config): CheckRow[] {
  const isUsed = channels.some(({ type }) => type === 'email')
  if (email === undefined || !isUsed || email.requireTls || email.smtp.secure) return []
  const { host, auth } = email.smtp
  if (isLoopback(host)) return []
  const exposed = auth === undefined ? 'mails' : 'mails and the password'
  const text = `email.requireTls is off: ${exposed} may go to ${host} without encryption`
  return [warn('email', text, 'leave requireTls out, or write smtps://; email.ca names a private authority')]
}

function aboutProxy({ console, server }: Config): CheckRow[] {
  const text = proxyNotNamed(console, server)
  if (text === undefined) return []
  return [warn('console', text, 'write the address of the proxy there, such as trustProxy: [127.0.0.1/32]')]
}
