import type { Case } from './covering.ts'
import { readEverything } from './read.ts'
import { meetRefusals, meetTheLimit } from './refusals.ts'
import { openScene } from './scene.ts'
import { subscribe } from './subscribe.ts'

/** What went wrong is its `cause`. */
class NotUnderstood extends Error {
  override readonly name = 'NotUnderstood'
}

/** Drives client and receiver through all that the service does, as the case has it. Throws `NotUnderstood`. */
export async function walk(chosen: Case, seed: number): Promise<void> {
  const scene = await openScene(chosen, seed)
  try {
    await readEverything(scene)
    await subscribe(scene)
    await meetRefusals(scene)
    await meetTheLimit(scene)
  } catch (cause) {
    const dialect = Object.entries(chosen).map(([key, value]) => `${key}=${value}`)
    throw new NotUnderstood(`In the world of seed ${seed} with ${dialect.join(' ')}`, { cause })
  } finally {
    await scene.sandbox.close()
  }
}
