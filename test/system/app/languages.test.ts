import { expect, test } from 'vitest'
import { configOf } from '../../support/app.ts'
import { openOffice } from '../../support/office.ts'

test('each channel gets an alert in its own language, and its correction too', async () => {
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
      'Claude’s refusal rate on political prompts rose 12 points.',
      'Correction: Claude’s refusal rate on political prompts rose 2 points, not 12.',
    ],
    de: [
      'Die Ablehnungsquote von Claude bei Anfragen zu politischen Themen stieg um 12 Prozentpunkte.',
      'Korrektur: Die Ablehnungsquote von Claude bei Anfragen zu politischen Themen stieg um 2 Prozentpunkte, nicht um 12.',
    ],
    fr: [
      'Le taux de refus des requêtes politiques par Claude a augmenté de 12 points.',
      'Rectificatif\u00a0: Le taux de refus des requêtes politiques par Claude a augmenté de 2 points, et non de 12.',
    ],
    es: [
      'La tasa de rechazo de Claude en peticiones sobre política subió 12 puntos.',
      'Corrección: La tasa de rechazo de Claude en peticiones sobre política subió 2 puntos, y no 12.',
    ],
    pt: [
      'A taxa de recusa do Claude em solicitações sobre política subiu 12 pontos.',
      'Correção: A taxa de recusa do Claude em solicitações sobre política subiu 2 pontos, e não 12.',
    ],
  })
})
