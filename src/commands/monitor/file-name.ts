/** What a dataset may be called behind its dot; anything else the service says is not taken. */
const extensions = ['csv', 'tsv', 'json', 'jsonl', 'ndjson', 'parquet', 'xlsx', 'xml', 'zip', 'gz', 'txt']
const longest = 100

/**
 * A name in this folder for a dataset: never a path, a hidden file or an option, whatever the id is. `format` is as
 * the service writes it, `csv` or `text/csv`.
 */
export function fileName(id: string, format: string | null): string {
  const safe = id
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^[._-]+/, '')
    .slice(0, longest)
    .toWellFormed()
  const name = safe === '' ? 'dataset' : safe
  const extension = /[^/.+]*$/.exec(format?.trim().toLowerCase() ?? '')?.[0] ?? ''
  return extensions.includes(extension) && !name.toLowerCase().endsWith(`.${extension}`)
    ? `${name}.${extension}`
    : name
}
