import type { Chance } from '../detector/chance.ts'
import type { Desk } from './desk.ts'

/** Several processes as one desk: what happens to one of them happens to any; what all get, all get. */
export function asOne(desks: readonly Desk[], random: Chance): Desk {
  const [only] = desks
  if (only !== undefined && desks.length === 1) return only

  function any(which: (desk: Desk) => boolean): Desk | undefined {
    const fitting = desks.filter(which)
    return fitting[Math.floor(random() * fitting.length)]
  }

  return {
    start(arrangement) {
      for (const desk of desks) desk.start(arrangement)
    },
    stop: async () => any((desk) => desk.isUp())?.stop(),
    kill: (how) => any((desk) => desk.isUp())?.kill(how),
    killAfter: (steps, how) => any((desk) => desk.isUp())?.killAfter(steps, how),
    async reload(arrangement) {
      await Promise.all(desks.map((desk) => desk.reload(arrangement)))
    },
    replay: async (eventId, channel) =>
      (await any((desk) => desk.isRunning())?.replay(eventId, channel)) ?? false,
    afterStop: () => desks.flatMap((desk) => desk.afterStop()),
    post: async (body, headers) => any((desk) => desk.isUp())?.post(body, headers),
    leap(milliseconds) {
      for (const desk of desks) desk.leap(milliseconds)
    },
    setAhead(milliseconds) {
      for (const desk of desks) desk.setAhead(milliseconds)
    },
    ahead: () => only?.ahead() ?? 0,
    isUp: () => desks.some((desk) => desk.isUp()),
    isRunning: () => desks.some((desk) => desk.isRunning()),
    onStep() {
      for (const desk of desks) desk.onStep()
    },
    log: () => desks.flatMap((desk) => desk.log()).toSorted(),
    control: () => desks.find((desk) => desk.control() !== undefined)?.control(),
  }
}
