export interface Redactor {
  /** More to hide from now on: a signing secret that the service gave us. */
  add(secrets: readonly string[]): void
  /** The text with every secret replaced by `[secret]`. */
  redact(text: string): string
}

/** Shorter ones would blot out ordinary words. */
const shortest = 6

export function createRedactor(): Redactor {
  let secrets: string[] = []
  return {
    add(more) {
      const forms = more.flatMap((secret) => [
        secret,
        encodeURIComponent(secret),
        // As SMTP and HTTP Basic send it.
        Buffer.from(secret).toString('base64'),
        JSON.stringify(secret).slice(1, -1),
      ])
      const usable = [...secrets, ...forms].filter((secret) => secret.length >= shortest)
      secrets = [...new Set(usable)].sort((one, other) => other.length - one.length)
    },
    redact: (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text),
  }
}
