import { expect, test } from 'vitest'
import { configOf } from '../../support/app.ts'
import { openOffice } from '../../support/office.ts'

test('one alert is told on each channel in its language, and its correction too', async () => {
  const office = openOffice()
  const languages = ['en', 'de', 'fr', 'es', 'pt']
  const app = await office.start(
    configOf(languages.map((language) => ({ name: language, type: 'console', as: 'plain', language }))),
  )
  await office.clock.advance(0)
  const deliver = async (delta: string) => {
    expect(await office.deliver(app.port, 'evt_1', { data: { category: 'political', delta } })).toBe(202)
    await office.clock.advance(60_000)
  }
  await deliver('+12pp')
  await deliver('+2pp')
  const headlines = Object.fromEntries(
    languages.map((language) => [language, office.shown(language).map((text) => text.split('\n')[2])]),
  )
  await office.passing(app.stop())
  expect(headlines).toEqual({
    en: [
      'Claude refuses 12 percentage points more political prompts.',
      'Correction: Claude refuses 2 percentage points more political prompts, not 12.',
    ],
    de: [
      'Claude lehnt 12 Prozentpunkte mehr Anfragen zu politischen Themen ab.',
      'Korrektur: Claude lehnt 2 Prozentpunkte mehr Anfragen zu politischen Themen ab, nicht 12.',
    ],
    fr: [
      'Claude refuse davantage de requêtes politiques\u00a0: 12 points de pourcentage de plus.',
      'Rectificatif\u00a0: Claude refuse davantage de requêtes politiques\u00a0: 2 points de pourcentage de plus, et non 12.',
    ],
    es: [
      'Claude rechaza más peticiones sobre política: 12 puntos porcentuales más.',
      'Corrección: Claude rechaza más peticiones sobre política: 2 puntos porcentuales más, no 12.',
    ],
    pt: [
      'Claude recusa mais solicitações sobre política: 12 pontos percentuais a mais.',
      'Correção: Claude recusa mais solicitações sobre política: 2 pontos percentuais a mais, não 12.',
    ],
  })
})
