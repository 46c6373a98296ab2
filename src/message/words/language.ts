/** The languages that a channel can have. `en` is there always; the others are loaded where a channel has them. */
export const languages = ['en', 'de', 'fr', 'es', 'pt'] as const

export type Language = (typeof languages)[number]
