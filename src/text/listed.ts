/** "a", "a and b", "a, b and c"; or with "or". */
export function listed(words: readonly string[], last: 'and' | 'or'): string {
  return new Intl.ListFormat('en-GB', { type: last === 'and' ? 'conjunction' : 'disjunction' }).format(words)
}
