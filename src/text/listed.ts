const and = new Intl.ListFormat('en-GB', { type: 'conjunction' })
const or = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** "a", "a and b", "a, b and c"; or with "or". */
export function listed(words: readonly string[], last: 'and' | 'or'): string {
  return (last === 'and' ? and : or).format(words)
}
