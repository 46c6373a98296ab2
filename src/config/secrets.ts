import type { Config } from './schema.ts'

/** Every value of the configuration that must not be seen: in logs, errors, pages and metrics it is blotted out. */
export function secretsOf(config: Config): string[] {
  const maybe = [
    config.monitor?.apiKey,
    ...config.webhook.secrets,
    config.slack?.token,
    config.slack?.signingSecret,
    config.slack?.appToken,
    config.discord?.token,
    config.email?.smtp.auth?.pass,
    ...config.channels.map((channel) => ('webhookUrl' in channel ? channel.webhookUrl : undefined)),
  ]
  return maybe.flatMap((secret) => (secret === undefined || secret === '' ? [] : [secret]))
}
