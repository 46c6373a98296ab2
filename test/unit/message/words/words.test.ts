import { describe, expect, test } from 'vitest'
import { languages } from '../../../../src/message/words/phrases.ts'
import { loadWords, wordsOf } from '../../../../src/message/words/words.ts'

describe('a language', () => {
  test.each([
    ['en', '+12.5 percentage points', '14,500', '21 Nov 2026, 15:05 CET', 'a, b, c'],
    ['de', '+12,5 Prozentpunkte', '14.500', '21. Nov. 2026, 15:05 MEZ', 'a, b und c'],
    ['fr', '+12,5 points de pourcentage', '14\u202f500', '21 nov. 2026, 15:05 UTC+1', 'a, b et c'],
    ['es', '+12,5 puntos porcentuales', '14.500', '21 nov 2026, 15:05 CET', 'a, b y c'],
    ['pt', '+12,5 pontos percentuais', '14.500', '21 de nov. de 2026, 15:05 GMT+1', 'a, b e c'],
  ] as const)(
    'writes numbers, times and lists as its readers do: %s',
    async (language, points, count, at, list) => {
      await loadWords(languages)
      const words = wordsOf(language)
      expect(words.say('points', { size: `+${words.number(12.5, { most: 1 })}`, count: 12.5 })).toBe(points)
      expect(words.number(14_500, { most: 0 })).toBe(count)
      expect(words.time('2026-11-21T14:05:33.000Z', 'Europe/Berlin')).toBe(at)
      expect(words.list(['a', 'b', 'c'])).toBe(list)
    },
  )

  test.each([
    ['de', 1, '1 Prozentpunkt'],
    ['de', 1.5, '1,5 Prozentpunkte'],
    ['fr', 1.5, '1,5 point de pourcentage'],
    ['fr', 2, '2 points de pourcentage'],
    ['es', 1, '1 punto porcentual'],
    ['es', 1.5, '1,5 puntos porcentuales'],
    ['pt', 1.5, '1,5 ponto percentual'],
    ['pt', 2, '2 pontos percentuais'],
  ] as const)('has the plural of its grammar: %s %d', async (language, count, said) => {
    await loadWords([language])
    const words = wordsOf(language)
    expect(words.say('points', { size: words.number(count, { most: 1 }), count })).toBe(said)
  })
})
