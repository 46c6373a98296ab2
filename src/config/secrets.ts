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
    ...webhookSecrets(config.heartbeat?.url),
    ...config.channels.flatMap((channel) =>
      'webhookUrl' in channel ? webhookSecrets(channel.webhookUrl) : [],
    ),
  ]
  return maybe.flatMap((secret) => (secret === undefined || secret === '' ? [] : [secret]))
}

/** The whole address, and its last part alone: in an error it may stand behind another host or version. */
function webhookSecrets(url: string | undefined): (string | undefined)[] {
  return url === undefined ? [] : [url, new URL(url).pathname.split('/').at(-1)]
}
