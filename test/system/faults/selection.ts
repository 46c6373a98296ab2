/** True where every case is to be run, and not only those that stand for the others. */
const everything = process.env.FAULTS === 'all'

/** The first so many, which stand for the others; all of them with FAULTS=all. */
export function selected<T>(count: number, cases: readonly T[]): T[] {
  return everything ? [...cases] : cases.slice(0, count)
}
