/*
 * Under which names a service may write what its interface does not show. A table for each gap: the comment names the
 * row of docs/internals/interface.md, and each line says why these names. Within a line the likeliest comes first, and the first
 * that holds a value is read. A name that the interface shows is first in its line. To read one more, add it here.
 */

/** Each snake_case name, and the same in camelCase: the interface writes snake_case, some libraries translate it. */
function spellings(...names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [...new Set([name, camelCase(name)])])
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** Row "shape of lists". */
export const listNames = {
  /** JSON:API says `data`, others `items` or `results`; or a list is named after what is in it. */
  members: spellings(
    'data',
    'items',
    'results',
    'webhooks',
    'subscriptions',
    'publications',
    'datasets',
    'records',
    'alerts',
    'events',
  ),
  /** One record: a common envelope, or the resource's own name. */
  webhook: ['data', 'webhook'],
  /** Where nested forms keep a record's fields: JSON:API (`attributes`, `links`), repositories of data (`metadata`, `file`). */
  recordPlaces: ['attributes', 'metadata', 'meta', 'data', 'file', 'links'],
} as const

/** Row "pages of lists". */
export const pageNames = {
  /** Where APIs keep what they say of the pages, the top of the answer aside. HAL has `_links`, GraphQL `pageInfo`. */
  places: [...spellings('meta', 'pagination', 'paging', 'page_info', 'page', 'links'), '_links', 'data'],
  /** The next cursor, and the parameter that takes it: Slack, Google, AWS, Azure and GraphQL in this order. */
  cursors: [
    ['next_cursor', 'cursor'],
    ['nextCursor', 'cursor'],
    ['next_page_token', 'page_token'],
    ['nextPageToken', 'pageToken'],
    ['next_token', 'next_token'],
    ['nextToken', 'nextToken'],
    ['continuation_token', 'continuation_token'],
    ['end_cursor', 'after'],
    ['endCursor', 'after'],
  ],
  /** The next page's address, as Django REST framework (`next`), Laravel (`next_page_url`) and OData-like APIs have it. */
  addresses: spellings('next', 'next_url', 'next_page_url', 'next_link'),
  /** May be an address or a number. */
  nextPage: spellings('next_page'),
  /** This page: Laravel has `current_page`, Spring `number`. */
  page: spellings('page', 'current_page', 'page_number', 'number'),
  totalPages: spellings('total_pages', 'last_page', 'page_count', 'pages'),
  perPage: spellings('per_page', 'page_size', 'limit', 'size'),
  total: spellings('total', 'total_count', 'total_items'),
  offset: ['offset', 'start'],
  /** Stripe has `has_more`, GraphQL `hasNextPage`. */
  more: spellings('has_more', 'has_next', 'has_next_page'),
} as const

/** Row "name, place and type of the sample size". */
export const sampleSizeNames = {
  /** "sample size" is how the interface calls it; statistics say `n`, and the sample is of prompts. */
  size: spellings('sample_size', 'sample_sizes', 'samples', 'n', 'prompt_count', 'prompts', 'sample'),
  /** Within an object under one of those. */
  inner: spellings('size', 'total', 'overall', 'all', 'count', 'n'),
  /** Beside the rates, for one category. */
  of: (category: string) => spellings(`${category}_sample_size`, `sample_size_${category}`, `${category}_n`),
} as const

/** Rows "name, place and type of the sample size" and "times in data answers". */
export const answerNames = {
  /** Where what is said of a whole answer may stand. */
  aside: ['data', 'meta', 'metadata'],
  /** `last_updated` is shown ("Model metrics"); others use the names of databases and feeds. */
  updated: spellings('last_updated', 'updated_at', 'last_updated_at', 'as_of', 'generated_at'),
} as const

/** Row "unit of the rates". */
export const rateFieldNames = {
  /** The categories of the history's query, and what else they are called: `all` is the query's own word for overall. */
  aliases: {
    overall: ['overall', 'all', 'total'],
    political: ['political', 'politics'],
    safety: ['safety'],
    social: ['social'],
  },
  /** `overall_refusal_rate` is shown; the others say the same shorter, or turned round. */
  of: (alias: string) => spellings(`${alias}_refusal_rate`, `${alias}_rate`, `refusal_rate_${alias}`, alias),
  /** A rate that says no category, or within an object that stands in the place of a rate. */
  single: spellings('refusal_rate', 'rate', 'value', 'mean'),
  /** `metrics` is shown; history and comparison may call the same object otherwise. */
  places: spellings('metrics', 'refusal_rates', 'rates', 'values', 'categories', 'by_category'),
} as const

/** Row "shape of a comparison"; the fields of one model are shown ("Model metrics"). */
export const metricsNames = {
  model: spellings('model', 'model_id', 'model_name'),
  version: spellings('version', 'model_version', 'version_label'),
  bias: spellings('bias_score', 'overall_bias_score', 'bias'),
  trend: ['trend'],
  /** What one model's metrics may be wrapped in, its own name aside. */
  wrappers: ['data', 'result', 'model'],
} as const

/** The models that the service monitors ("What the service does", 2). */
export const modelNames: readonly string[] = ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen']

/** Row "shape of a comparison". */
export const comparisonNames = {
  /** Wrappers of the models, common ones and the endpoint's own word. */
  lists: ['data', 'models', 'comparison', 'comparisons', 'results', 'items', 'metrics'],
  /** A model in a list that has no `model`. */
  model: ['id', 'name'],
  /** Where the models' numbers stand under each metric's name. */
  byMetric: ['metrics', 'rates', 'data'],
  /** The models in the order of those columns. */
  order: ['models', 'names', ...metricsNames.model],
  /** One for each model, so perhaps in the plural. */
  versions: ['versions', ...metricsNames.version],
  trends: ['trends', ...metricsNames.trend],
} as const

const moments = spellings(
  'at',
  'date',
  'timestamp',
  'time',
  'ts',
  'day',
  'period_start',
  'start',
  'measured_at',
  'observed_at',
  'recorded_at',
  'week',
  'month',
  'period',
  'last_updated',
)

/** Row "shape of a history". */
export const historyNames = {
  /** What a history may stand under; `timeline` is the interface's own word ("What the service does", 1). */
  series: [
    'data',
    'history',
    'points',
    'series',
    'items',
    'results',
    'observations',
    'readings',
    'timeline',
    'measurements',
    'values',
    'categories',
    ...spellings('by_category'),
    'rates',
    'metrics',
    'versions',
  ],
  /** When a point was measured, or the span that it stands for. `last_updated` if points are metrics of their time. */
  time: moments,
  /** The beginning, if a span is an object. */
  start: spellings('start', 'from', 'begin'),
  /** Which rate a series is of, as charts label theirs. The first that is a text. */
  category: ['category', 'metric', 'name', 'label', 'key'],
  /** A list of times beside lists of values; `labels` and `x` are those of chart libraries. */
  times: spellings('dates', 'timestamps', 'times', 'labels', 'periods', 'days', 'x', ...moments),
  values: spellings('values', 'refusal_rates', 'refusal_rate', 'rates', 'rate', 'value', 'y'),
  versions: ['versions', ...metricsNames.version],
  /** Where the columns may stand, one level below the times; `datasets` is Chart.js's. */
  columns: spellings(
    'metrics',
    'refusal_rates',
    'rates',
    'values',
    'series',
    'datasets',
    'columns',
    'data',
    'categories',
  ),
  /** Which rate a column of such a list is of. A column's `metric` may be "refusal_rate", so its name comes first. */
  columnCategory: ['category', 'name', 'label', 'metric', 'key'],
} as const

/** Row "shape of a bias analysis". */
export const biasNames = {
  /** `topics` is the query's word; others say how the scores are arranged. */
  topics: spellings('topics', 'by_topic', 'topic_scores', 'scores', 'breakdown', 'bias_scores'),
  wrappers: ['data', 'results', 'result', 'items', 'bias', 'analysis', ...spellings('bias_analysis')],
  /** The name of one topic in a list. */
  topic: ['topic', 'name', 'category', 'id', 'label'],
  score: spellings('score', 'bias_score', 'value', 'bias', 'mean'),
  /** `bias_score` is shown for a model's metrics. */
  overall: spellings('overall_bias_score', 'overall_score', 'overall_bias', 'bias_score', 'score', 'overall'),
  /** Stand among the topics, besides those, and are none. */
  overallTopics: ['all', 'total'],
  /** Two lists of the same order: the topics and their scores. */
  columns: ['topics', 'labels'],
  columnScores: spellings('scores', 'bias_scores', 'values'),
} as const

/** Row "fields of a publication": the names of Crossref, CSL-JSON, Schema.org and blogs. */
export const publicationNames = {
  id: spellings('publication_id', 'id', 'slug', 'doi'),
  title: ['title', 'name', 'headline'],
  authors: spellings('authors', 'author', 'creators', 'author_names'),
  person: spellings('name', 'full_name', 'display_name'),
  given: spellings('given', 'given_name', 'first_name'),
  family: spellings('family', 'family_name', 'last_name'),
  published: spellings(
    'published_at',
    'publication_date',
    'published',
    'published_on',
    'published_date',
    'date',
    'created_at',
  ),
  /** `year` is the query's word. */
  year: spellings('year', 'publication_year'),
  /** A page for people before a file. */
  url: spellings('url', 'link', 'href', 'html_url', 'doi_url', 'pdf_url', 'html', 'pdf'),
  doi: ['doi'],
  summary: ['summary', 'abstract', 'description'],
} as const

/** Row "fields of a dataset": the names of DCAT, CKAN and HTTP. */
export const datasetNames = {
  /** `dataset_id` is shown as the parameter of the path. */
  id: spellings('dataset_id', 'id', 'slug'),
  title: ['title', 'name'],
  description: ['description', 'summary', 'abstract'],
  format: spellings(
    'format',
    'formats',
    'file_format',
    'content_type',
    'mime_type',
    'media_type',
    'extension',
  ),
  bytes: spellings(
    'bytes',
    'size_bytes',
    'size_in_bytes',
    'file_size',
    'file_size_bytes',
    'byte_size',
    'content_length',
    'size',
  ),
  records: spellings(
    'records',
    'record_count',
    'rows',
    'row_count',
    'num_rows',
    'n_rows',
    'num_records',
    'entries',
  ),
  updated: spellings('updated_at', 'last_updated', 'modified_at', 'last_modified', 'updated', 'modified'),
} as const

/** Row "what a download is". */
export const downloadNames = {
  /** The address in a short answer that is not the data. */
  link: spellings('url', 'download_url', 'href', 'link', 'location'),
} as const
