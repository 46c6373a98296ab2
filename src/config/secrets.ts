import { secretsInAddress } from '../channels/kind.ts'
import { secretsOfChannel } from '../channels/registry.ts'
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
    ...secretsInAddress(config.heartbeat?.url),
    ...config.channels.flatMap(secretsOfChannel),
  ]
  return maybe.flatMap((secret) => (secret === undefined || secret === '' ? [] : [secret]))
}
