/** Lengths of time, in milliseconds. */
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
/** Of 365 days: a scale, not a calendar. */
export const yearMs = 365 * dayMs
