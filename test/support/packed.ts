import { globSync, readFileSync, statSync } from 'node:fs'
import * as z from 'zod'

/** What `npm pack` takes from the checkout as it is: by `files` of package.json, and what npm always packs. Not dist/, which is made. */
export function packedFiles(): string[] {
  const { files } = z
    .object({ files: z.array(z.string()) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')))
  const named = ['README.md', 'LICENSE', 'package.json', ...files.filter((pattern) => pattern !== 'dist')]
  return named.flatMap((pattern) =>
    globSync([pattern, `${pattern}/**`]).filter((file) => statSync(file).isFile()),
  )
}
