import type { World } from './world.ts'

/** Makes something of a world, and again only after it has another reading, change or model, or is asked for otherwise. */
export function keptWhileUnchanged<Asked extends readonly unknown[], Made>(
  make: (world: World, ...asked: Asked) => Made,
): (world: World, ...asked: Asked) => Made {
  const kept = new WeakMap<World, { of: readonly unknown[]; made: Made }>()
  return (world, ...asked) => {
    // Each reading and each change is an object of its own.
    const readings = world.models().map((model) => world.latest(model)?.reading)
    const of = [...asked, world.changes().at(-1), ...readings]
    const before = kept.get(world)
    if (before?.of.length === of.length && of.every((one, index) => one === before.of[index])) {
      return before.made
    }
    const made = make(world, ...asked)
    kept.set(world, { of, made })
    return made
  }
}
