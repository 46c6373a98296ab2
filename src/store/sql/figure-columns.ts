/** The columns of a published figure, with their types. */
export const figureColumns = {
  service: 'text',
  model: 'text',
  category: 'text',
  series: 'text',
  measured: 'bigint',
  at: 'bigint',
  part: 'bigint',
  rate: 'float8',
  unit: 'text',
  sample_size: 'bigint',
  size_of_all: 'bigint',
  version: 'text',
  seen: 'bigint',
} as const

export const spanColumns = {
  service: 'text',
  model: 'text',
  category: 'text',
  source: 'text',
  since: 'bigint',
  until: 'bigint',
} as const
