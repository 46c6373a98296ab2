import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { allOf, read } from '../../support/markdown.ts'
import { packedFiles } from '../../support/packed.ts'

const packed = packedFiles()

/** Links that were there before this rule. Take out what is mended; add none: say in words where it is in the repository. */
const before = new Set<string>([
  'README.md: docs/internals/detection.md',
  'README.md: src/pipeline.ts',
  'docs/README.md: CONTRIBUTING.md',
  'docs/README.md: docs/internals/assumptions.md',
  'docs/README.md: docs/internals/benchmarks.md',
  'docs/README.md: docs/internals/container-tests.md',
  'docs/README.md: docs/internals/contracts',
  'docs/README.md: docs/internals/decisions',
  'docs/README.md: docs/internals/detection-falls.md',
  'docs/README.md: docs/internals/detection-worlds.md',
  'docs/README.md: docs/internals/detection.md',
  'docs/README.md: docs/internals/interface.md',
  'docs/README.md: docs/internals/polling.md',
  'docs/README.md: docs/internals/real-series.md',
  'docs/README.md: docs/internals/reliability.md',
  'docs/README.md: docs/internals/replicas.md',
  'docs/README.md: docs/renderings/README.md',
  'docs/console.md: docs/console/README.md',
  'docs/console.md: docs/internals/decisions/0054-filters-changed-without-a-shell.md',
  'docs/console.md: docs/internals/decisions/0062-figures-for-people-who-compare.md',
  'docs/console.md: docs/internals/decisions/0068-one-port-behind-a-proxy.md',
  'docs/container.md: docs/internals/container-tests.md',
  'docs/deciding.md: docs/internals/detection.md',
  'docs/deployment.md: docs/internals/decisions/0052-a-chart-rendered-by-go.md',
  'docs/ledger.md: docs/internals/decisions/0017-larger-is-another-change.md',
  'docs/ledger.md: docs/internals/decisions/0029-levels-in-an-alert.md',
  'docs/operations.md: docs/internals/benchmarks.md',
  'docs/operations.md: docs/internals/decisions/0028-trouble-of-the-last-operators-channel.md',
  'docs/polling.md: docs/internals/detection.md',
  'docs/polling.md: docs/internals/polling.md',
  'docs/sandbox.md: docs/internals/contracts/event.schema.json',
  'docs/sandbox.md: docs/internals/contracts/openapi.json',
  'docs/scale.md: docs/internals/benchmarks.md',
  'docs/scale.md: docs/internals/decisions/0043-one-transaction-and-nothing-remembered.md',
  'docs/store.md: docs/internals/decisions/0051-which-configuration-writes-off.md',
  'docs/store.md: docs/internals/reliability.md',
  'docs/store.md: docs/internals/replicas.md',
])

test('a page of the package links to nothing that is in the repository alone', () => {
  const open = packed
    .filter((file) => file.endsWith('.md'))
    .flatMap((page) => linkedFrom(page).map((file) => ({ page, file })))
    .filter(({ file }) => !packed.some((one) => one === file || one.startsWith(`${file}/`)))
    .map(({ page, file }) => `${page}: ${file}`)
    .filter((link) => !before.has(link))
  expect(open).toEqual([])
})

function linkedFrom(page: string): string[] {
  return [...allOf('link', read(page)), ...allOf('image', read(page))]
    .map(({ href }) => href.replace(/#.*/, ''))
    .filter((href) => href !== '' && !/^(https?|mailto):/.test(href))
    .map((href) => join(dirname(page), href))
}
