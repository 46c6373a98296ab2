import { BaseSequencer, type TestSpecification } from 'vitest/node'

const groups = ['/simulate/', '/test/system/', '']

/**
 * The simulation first, then what starts servers and processes, then the rest: what takes a minute must not begin when the other worker is
 * done.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const byGroup = Map.groupBy(sorted, ({ moduleId }) =>
      groups.findIndex((group) => moduleId.includes(group)),
    )
    return groups.flatMap((_, index) => byGroup.get(index) ?? [])
  }
}
