import { expect, test } from 'vitest'
import { sharedPaces } from '../../../src/deliver/pace.ts'

test('channels of one kind that go to one place share its pace; others have their own', () => {
  const paceOf = sharedPaces()
  const pace = paceOf({ name: 'desk', type: 'slack', destination: '#desk' })
  pace.last = 7
  expect(paceOf({ name: 'second', type: 'slack', destination: '#desk' }).last).toBe(7)
  expect(paceOf({ name: 'other', type: 'slack', destination: '#other' }).last).toBe(-Infinity)
  expect(paceOf({ name: 'other kind', type: 'discord', destination: '#desk' }).last).toBe(-Infinity)
  expect(paceOf({ name: 'mail', type: 'email' }).last).toBe(-Infinity)
})

test('a place that turns out to have another name keeps its pace, under both', () => {
  const paceOf = sharedPaces()
  const named = (name: string, destination: string) => paceOf({ name, type: 'slack', destination })
  named('by id', 'C01').last = 5
  named('by name', '#desk').last = 9
  expect(named('by name', 'C01').last).toBe(9)
  expect(named('by id', 'C01').last).toBe(9)
  named('by id', 'C01').last = 11
  expect(named('third', '#desk').last).toBe(11)
})
