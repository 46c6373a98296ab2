import type { Reply } from '../channels/interaction.ts'
import { BudgetSpent, NotFound, RateLimited, ServiceFailed, Unreachable } from '../client/errors.ts'
import type { Consult, Question } from '../converse/commands.ts'
import { modelName } from '../render/words.ts'
import type { Words } from '../words/words.ts'

/** What a person in a chat asks of the service, from the same budget as the commands of a shell. */
export function consultFor(options: { config?: string }): Consult {
  return async (question, words) => {
    try {
      return await ask(question, options, words)
    } catch (error) {
      const text = excuse(error, question, words)
      if (text === undefined) throw error
      return { text }
    }
  }
}

async function ask(question: Question, options: { config?: string }, words: Words): Promise<Reply> {
  if (question.what === 'compare') {
    const { comparisonIn } = await import('./monitor/chat-comparison.ts')
    return comparisonIn(words, question.models, options)
  }
  const { historyIn } = await import('./monitor/chat-history.ts')
  const { model, category = 'all', period = '30d' } = question
  return historyIn(words, { model, category, period }, options)
}

/** Where nobody has to mend anything; undefined for what is for operators. */
function excuse(error: unknown, question: Question, words: Words): string | undefined {
  if (error instanceof BudgetSpent) return words.say('requestsSpent')
  if (error instanceof NotFound) {
    const models = question.what === 'compare' ? question.models : [question.model]
    return words.say('serviceUnaware', { models: words.list(models.map((one) => modelName(one, words))) })
  }
  const isAway = [RateLimited, ServiceFailed, Unreachable].some((kind) => error instanceof kind)
  return isAway ? words.say('serviceSilent') : undefined
}
