import type { webApi } from '@slack/bolt'

/** The client's log lines repeat Slack's answers; what matters of them comes back as a result. */
export function silent(level: webApi.LogLevel): NonNullable<webApi.WebClientOptions['logger']> {
  const nothing = () => {}
  return {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    setLevel: nothing,
    setName: nothing,
    getLevel: () => level,
  }
}
