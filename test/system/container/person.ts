import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'

const wordsPerSecond = 4
const charactersPerSecond = 5
/** To find a button or a field, and to aim at it. */
const secondsPerClick = 1

/** What a step costs somebody. */
export interface StepCost {
  step: string
  words: number
  fields: number
  clicks: number
  /** Reading, typing and waiting for answers. */
  seconds: number
}

/**
 * Somebody at a browser who reads all of a page but its navigation, and types slowly. Text that an earlier page showed is not read
 * again. `pace` is how many times faster than a person this is. The seconds in `costs` stay those of a person.
 */
export class Person {
  readonly costs: StepCost[] = []
  readonly #page: Page
  readonly #pace: number
  readonly #read = new Set<string>()
  /** Reading, typing and aiming, without waiting. */
  #busySeconds = 0

  constructor(page: Page, pace: number) {
    this.#page = page
    this.#pace = pace
  }

  async step(step: string, does: () => Promise<unknown>): Promise<void> {
    const [began, busyBefore] = [performance.now(), this.#busySeconds]
    this.costs.push({ step, words: 0, fields: 0, clicks: 0, seconds: 0 })
    await does()
    const busy = this.#busySeconds - busyBefore
    const waiting = (performance.now() - began) / 1_000 - busy / this.#pace
    this.#add({ seconds: busy + waiting })
  }

  async read(text: string): Promise<void> {
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => !this.#read.has(line))
    for (const line of lines) this.#read.add(line)
    const words = lines.flatMap((line) => line.match(/\S*[\p{L}\p{N}]\S*/gu) ?? []).length
    this.#add({ words })
    await this.#spend(words / wordsPerSecond)
  }

  /** Waits for a page with this heading, and reads it. */
  async readPage(heading: string | RegExp): Promise<void> {
    await this.#page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await this.read(await this.#page.getByRole('main').innerText())
  }

  async type(label: string, text: string): Promise<void> {
    const field = this.#page.getByLabel(new RegExp(`^${label}`))
    await field.click()
    await this.#spend(secondsPerClick)
    const milliseconds = 1_000 / charactersPerSecond
    await field.pressSequentially(text, { delay: milliseconds / this.#pace, timeout: 0 })
    this.#busySeconds += text.length / charactersPerSecond
    this.#add({ fields: 1 })
  }

  async click(role: 'button' | 'link', name: string | RegExp): Promise<void> {
    await this.#spend(secondsPerClick)
    const target = this.#page.getByRole('main').getByRole(role, { name, exact: true })
    await this.read(await target.innerText())
    await target.click()
    this.#add({ clicks: 1 })
  }

  /** Waits for a page with this heading, and reads its first lines alone. */
  async readTop(heading: string | RegExp): Promise<void> {
    await this.#page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    await this.read((await this.#page.getByRole('main').innerText()).split('\n\n').slice(0, 2).join('\n'))
  }

  async #spend(seconds: number): Promise<void> {
    this.#busySeconds += seconds
    await delay((seconds * 1_000) / this.#pace)
  }

  #add(more: Partial<Record<'words' | 'fields' | 'clicks' | 'seconds', number>>): void {
    const cost = this.costs.at(-1)
    if (cost === undefined) throw new Error('this is done in no step')
    for (const key of ['words', 'fields', 'clicks', 'seconds'] as const) cost[key] += more[key] ?? 0
  }
}
