import type { Reply } from '../channels/interaction.ts'
import type { Consult, Question } from '../converse/commands.ts'
import type { Terminal } from './terminal.ts'

/** As wide as a chat shows letters of one width without a break. */
const width = 60

/** What a person in a chat asks of the service, as the same command in a shell says it, from the same budget. */
export function consultFor(options: { config?: string }): Consult {
  return async (question) => {
    const figures: string[] = []
    const notes: string[] = []
    const terminal: Terminal = {
      out: (text) => void figures.push(text),
      note: (text) => void notes.push(text.trim()),
      colour: false,
      width,
    }
    try {
      await ask(question, options, terminal)
    } catch (error) {
      return { text: `It could not be found out: ${messageOf(error)}` }
    }
    return {
      text: [titleOf(question), ...notes].join(' '),
      figures: figures.join('').trimEnd(),
    } satisfies Reply
  }
}

async function ask(question: Question, options: { config?: string }, terminal: Terminal): Promise<void> {
  if (question.what === 'compare') {
    const { compare } = await import('./monitor/compare.ts')
    return compare(question.models, options, terminal)
  }
  const { history } = await import('./monitor/history.ts')
  const { model, category = 'all', period = '30d' } = question
  return history(model, { ...options, category, period }, terminal)
}

function titleOf(question: Question): string {
  return question.what === 'compare' ? 'Compared:' : 'What the service publishes:'
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
