import type { Reply } from '../channels/interaction.ts'

export const notKept: Reply = { text: 'This alert is no longer stored; nothing was done.' }

/** What somebody is told who may not do it. */
export function mayNot(what: string, key: string): string {
  return `You may not ${what} here; nothing was done. Who runs Bluepencil can add your id under ${key}.`
}
