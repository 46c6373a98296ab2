import * as z from 'zod'

/** What can be made in the browser beside channels, by its path in the file. */
export const sectionPaths = {
  monitor: ['monitor'],
  publicUrl: ['webhook', 'publicUrl'],
  secrets: ['webhook', 'secrets'],
  slack: ['slack'],
  discord: ['discord'],
  email: ['email'],
  users: ['console', 'users'],
  operators: ['operators'],
  retention: ['retention'],
} as const satisfies Record<string, readonly string[]>
export type ConfigSection = keyof typeof sectionPaths
const isSection = (key: string): key is ConfigSection => Object.hasOwn(sectionPaths, key)
export const configSections = Object.keys(sectionPaths).filter(isSection)

/** The keys of a file that cannot be made in the browser, as `server` or `console.listen`. */
export function keysOfFile(file: unknown): string[] {
  const paths: (readonly string[])[] = [...Object.values(sectionPaths), ['channels']]
  const isMade = (...path: string[]) => paths.some((made) => made.join('.') === path.join('.'))
  return Object.entries(Object(file)).flatMap(([key, value]) => {
    if (isMade(key)) return []
    if (!paths.some(([first]) => first === key)) return [key]
    return Object.keys(Object(value)).flatMap((inner) => (isMade(key, inner) ? [] : [`${key}.${inner}`]))
  })
}

/** As the file has it; nothing in it is filled in, so `${…}` is just text. */
export const RawChannel = z.looseObject({ name: z.string() })
export type RawChannel = z.infer<typeof RawChannel>

/** What people made in the browser, raw: each part as the file would have it once `${…}` is filled in. */
export const BrowserConfig = z.object({
  ...(Object.fromEntries(configSections.map((name) => [name, z.unknown().optional()])) as Record<
    ConfigSection,
    z.ZodOptional<z.ZodUnknown>
  >),
  channels: z.array(RawChannel).optional(),
})
export type BrowserConfig = z.infer<typeof BrowserConfig>

/** What was made in the browser, as far as it can be read. */
export interface MadeInBrowser {
  made: BrowserConfig
  /** Why it is gone; a sentence. A command begins anew. */
  lost?: string
  /** It is gone, and no account was in it. */
  withoutAccounts?: true
  /** Why only a part of it can be read, so that nothing may be changed; a sentence. */
  newer?: string
}

/** A part of what was made in the browser. */
export type MadePart = { section: ConfigSection } | { channel: string }
