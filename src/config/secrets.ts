import { secretsInAddress } from '../channels/kind.ts'
import { kindOf } from '../channels/registry.ts'
import { uriDecoded } from '../platform/text.ts'
import type { Config } from './schema.ts'

/** Every value of the configuration that must not be seen: in logs, errors, pages and metrics it is blotted out. */
export function secretsOf(config: Config): string[] {
  const maybe = [
    config.monitor?.apiKey,
    config.monitor?.oauth?.clientSecret,
    config.monitor?.oauth?.refreshToken,
    ...config.webhook.secrets,
    config.slack?.token,
    config.slack?.signingSecret,
    config.slack?.appToken,
    config.discord?.token,
    config.email?.smtp.auth?.pass,
    ...(config.console?.users ?? []).map(({ password }) => password),
    config.console?.oidc?.clientSecret,
    ...secretsInAddress(config.heartbeat?.url),
    ...passwordOf(config.store),
    ...config.channels.flatMap((channel) => kindOf(channel).secrets?.(channel)),
  ]
  return maybe.flatMap((secret) => (secret === undefined || secret === '' ? [] : [secret]))
}

/** Of a database's address, as it stands there and as it is. */
export function passwordOf(store: string): string[] {
  const [, written] = /^postgres(?:ql)?:\/\/[^:@/?]*:([^@/?]*)@/.exec(store) ?? []
  const inQuery = new URLSearchParams(/\?(.*)$/s.exec(store)?.[1] ?? '').get('password') ?? undefined
  return [written, written && uriDecoded(written), inQuery].flatMap((one) => (one === undefined ? [] : [one]))
}
