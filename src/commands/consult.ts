import type { PeopleService } from '../app/environment.ts'
import type { ChatReply } from '../channels/interaction.ts'
import { modelName } from '../message/render/words.ts'
import type { Words } from '../message/words/words.ts'
import type { FiguresQuestion } from '../people/converse/commands.ts'
import { None } from '../record/figures/reader.ts'
import { BudgetSpent, NotFound, RateLimited, ServiceFailed, Unreachable } from '../service/client/errors.ts'

/** What a person in a chat asks of the service, answered as a chat shows it. */
export async function consult(
  question: FiguresQuestion,
  words: Words,
  service: PeopleService,
): Promise<ChatReply> {
  try {
    return await ask(question, words, service)
  } catch (error) {
    const text = excuse(error, question, words)
    if (text === undefined) throw error
    return { text }
  }
}

async function ask(question: FiguresQuestion, words: Words, service: PeopleService): Promise<ChatReply> {
  if (question.what === 'compare') {
    const { comparisonIn } = await import('./monitor/chat.ts')
    return comparisonIn(words, question.models, service)
  }
  const { historyIn } = await import('./monitor/chat.ts')
  const { model, category = 'all', period = '30d' } = question
  return historyIn(words, { model, category, period }, service)
}

/** Where nobody has to mend anything; undefined for what is for operators. */
function excuse(error: unknown, question: FiguresQuestion, words: Words): string | undefined {
  if (error instanceof BudgetSpent) return words.say('requestsSpent')
  if (error instanceof NotFound) {
    const models = question.what === 'compare' ? question.models : [question.model]
    return words.say('serviceUnaware', { models: words.list(models.map((one) => modelName(one, words))) })
  }
  const isAway = [RateLimited, ServiceFailed, Unreachable, None].some((kind) => error instanceof kind)
  return isAway ? words.say('serviceSilent') : undefined
}
