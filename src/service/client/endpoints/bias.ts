import { BadRequest } from '../errors.ts'
import { get, type ServiceConnection, segment } from '../http/request.ts'
import { answerNames, biasNames, metricsNames, sampleSizeNames } from '../names.ts'
import {
  type Fields,
  firstOf,
  isFields,
  pick,
  placesIn,
  readNumber,
  readText,
  readTime,
} from '../readers/fields.ts'
import { readSampleSize, readSize } from '../readers/rates.ts'
import { separable } from './compare.ts'

interface TopicBias {
  /** `political`, `social` and `economic` occur; the full list is not specified. */
  topic: string
  /** Can be negative; unit and range are not specified. `null` if the service has none for the topic. */
  score: number | null
  sampleSize: number | null
}

export interface BiasAnalysis {
  model: string
  /** Over all topics; can be negative, unit and range are not specified. */
  score: number | null
  /** In the order of the answer, each topic once. */
  topics: TopicBias[]
  /** Prompts behind the analysis. */
  sampleSize: number | null
  /** ISO 8601, UTC. */
  lastUpdated: string | null
  /** Topics that were there and could not be read. */
  unread: number
}

/** Stand among the topics and are none. */
const overallTopics = new Set<string>([...biasNames.overall, ...biasNames.overallTopics])
const asideNames = new Set([...sampleSizeNames.size, ...answerNames.updated])
const deepest = 4

/** GET /bias/{model} ("Endpoints"). Without `topics`, those that the service chooses. */
export async function bias(
  connection: ServiceConnection,
  model: string,
  topics?: readonly string[],
  signal?: AbortSignal,
): Promise<BiasAnalysis> {
  const names = topics === undefined ? undefined : separable(topics, 'topic')
  if (names?.length === 0) {
    throw new BadRequest('No topic was named. Name one or more, such as political, or leave topics out.')
  }
  const call = { path: `/bias/${segment(model)}`, query: { topics: names?.join(',') }, signal }
  return await get(
    connection,
    call,
    (body) => readBias(body, model),
    'no bias_score, and no topics or scores',
  )
}

/** Topics as a list, as an object, or as plain scores; bare or wrapped. Undefined if nothing can be read. */
export function readBias(answer: unknown, model: string): BiasAnalysis | undefined {
  const places = placesIn(answer)
  const listed = findTopics(answer, [model, ...biasNames.wrappers], deepest)
  const within = [...(listed === undefined ? [] : [listed.around]), ...places]
  const { topics: all = [], unread = 0 } = listed ?? {}
  const overall = all.find(({ topic }) => overallTopics.has(topic))?.score ?? null
  const score = firstOf(within, biasNames.overall, readScore) ?? overall
  if (score === null && all.length === 0 && (listed === undefined || unread > 0)) return undefined
  const topics = new Map<string, TopicBias>()
  for (const bias of all) {
    if (!overallTopics.has(bias.topic) && !topics.has(bias.topic)) topics.set(bias.topic, bias)
  }
  const sizes = (topic: string) =>
    firstOf(within, sampleSizeNames.size, (size) => (isFields(size) ? readSize(pick(size, [topic])) : null))
  return {
    model: firstOf(places, metricsNames.model, readText) ?? model,
    score,
    topics: [...topics.values()].map((bias) => ({
      ...bias,
      sampleSize: bias.sampleSize ?? sizes(bias.topic),
    })),
    sampleSize: readSampleSize(within).total,
    lastUpdated: firstOf(within, answerNames.updated, readTime),
    unread,
  }
}

interface ListedTopics {
  topics: TopicBias[]
  unread: number
  /** The object in which they stood. */
  around: Fields
}

function findTopics(value: unknown, wrappers: readonly string[], depth: number): ListedTopics | undefined {
  if (Array.isArray(value)) return fromList(value, {})
  if (!isFields(value) || depth === 0) return undefined
  const columns = fromColumns(value)
  if (columns !== undefined) return columns
  for (const name of biasNames.topics) {
    const inner = pick(value, [name])
    const listed = Array.isArray(inner) ? fromList(inner, value) : fromObject(inner, value)
    if (listed !== undefined) return listed
  }
  for (const name of wrappers) {
    const wrapped = findTopics(pick(value, [name]), wrappers, depth - 1)
    if (wrapped !== undefined) return wrapped
  }
  // `{"bias": {"political": 0.1, …}}`, and `{"data": {"political": {"score": 0.1}, …}}` with no name for the topics.
  const named = fromObject(value.bias, value)
  if (named !== undefined) return named
  const bare = Object.entries(value).filter(([, inner]) => isFields(inner) && readScore(inner) !== null)
  return bare.length === 0 ? undefined : fromObject(Object.fromEntries(bare), value)
}

/** `{"topics": ["political", …], "scores": [0.1, …]}` */
function fromColumns(fields: Fields): ListedTopics | undefined {
  const names = pick(fields, biasNames.columns)
  const scores = pick(fields, biasNames.columnScores)
  if (!Array.isArray(names) || !Array.isArray(scores)) return undefined
  if (!names.every((name) => typeof name === 'string')) return undefined
  return fromEntries(
    names.map((name, index) => [name, scores[index] ?? null]),
    fields,
  )
}

function fromList(list: readonly unknown[], around: Fields): ListedTopics | undefined {
  if (list.length > 0 && !list.some(isFields)) return undefined
  return fromEntries(
    list.map((one) => [isFields(one) ? (readText(pick(one, biasNames.topic)) ?? '') : '', one]),
    around,
  )
}

function fromObject(value: unknown, around: Fields): ListedTopics | undefined {
  if (!isFields(value)) return undefined
  return fromEntries(
    Object.entries(value).filter(([name]) => !asideNames.has(name)),
    around,
  )
}

function fromEntries(entries: [name: string, value: unknown][], around: Fields): ListedTopics {
  const topics = entries.flatMap(([name, value]) => readTopic(name, value) ?? [])
  return { topics, unread: entries.length - topics.length, around }
}

function readTopic(name: string, value: unknown): TopicBias | undefined {
  const topic = name.trim()
  const score = readScore(value)
  const none = value === null || (isFields(value) && biasNames.score.some((field) => value[field] === null))
  if (topic === '' || (score === null && !none)) return undefined
  return { topic, score, sampleSize: isFields(value) ? readSize(pick(value, sampleSizeNames.size)) : null }
}

function readScore(value: unknown): number | null {
  return readNumber(isFields(value) ? pick(value, biasNames.score) : value)
}
