import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permission } from '../../support/fakes/discord-world.ts'
import { type Moment, openScene, type Scene, until } from '../../system/crash/scene.ts'
import type { Fired } from '../../system/crash/sender.ts'
import { createRandom, events, twice } from '../../system/crash/traffic.ts'

let scene: Scene
let row = 0
const all: Fired[] = []

afterAll(() => scene?.close())

const providers = ['slack', 'discord', 'mail'] as const
const requests = {
  slack: { post: /^chat\.postMessage$/, look: /^conversations\.history$/ },
  discord: { post: /^POST .*\/messages$/, look: /^GET .*\/messages$/ },
  mail: { post: /^/ },
}

/** The second message that is posted: one has gone out, and others follow. */
function second(provider: Moment['provider'], moment: Moment['moment']) {
  let left = 2
  return (seen: Moment) => {
    const isIt =
      seen.provider === provider && seen.moment === moment && requests[provider].post.test(seen.request)
    if (isIt) left -= 1
    return isIt && left === 0
  }
}

function isLook(provider: 'slack' | 'discord') {
  return (seen: Moment) =>
    seen.provider === provider && seen.moment === 'received' && requests[provider].look.test(seen.request)
}

/** The events of one row. */
function next(): Fired[] {
  const fired = events(`p${row++}`, 8)
  all.push(...fired)
  return fired
}

const never = () => new Promise<void>(() => undefined)

/** Answers what is wrong when the next process has done its work. */
async function afterwards(fired: readonly Fired[], sent: Promise<void>): Promise<string[]> {
  const ended = await scene.ended()
  await scene.begin()
  await sent
  await scene.settled()
  const faults = [...(await scene.faultsOf(fired)), ...scene.errors()]
  return ended === 'SIGKILL' ? faults : [`it ended with ${ended}`, ...faults]
}

describe('kill -9 with a message in flight: no reader gets it twice, and none misses it', () => {
  // Discord remembers no nonce: what is there must be found.
  beforeAll(async () => {
    scene = await openScene({ random: createRandom(2), discord: { nonceMs: 0 } })
    await scene.begin()
  })

  test.each(providers)('%s has the request, and loses it', async (provider) => {
    const fired = next()
    scene.at(second(provider, 'received'), () => scene.kill().then(never))
    expect(await afterwards(fired, scene.sender.send(twice(fired), 6))).toEqual([])
  })

  test.each(providers)('%s has the request, and does it when the sender is gone', async (provider) => {
    const fired = next()
    scene.at(second(provider, 'received'), scene.kill)
    expect(await afterwards(fired, scene.sender.send(twice(fired), 6))).toEqual([])
  })

  test.each(providers)('%s has done it, and has nobody to answer', async (provider) => {
    const fired = next()
    scene.at(second(provider, 'done'), scene.kill)
    expect(await afterwards(fired, scene.sender.send(twice(fired), 6))).toEqual([])
  })

  test.each(['slack', 'discord'] as const)('and again while %s is asked what it has', async (provider) => {
    const fired = next()
    scene.at(second(provider, 'done'), scene.kill)
    const sent = scene.sender.send(fired, 6)
    expect(await scene.ended()).toBe('SIGKILL')
    scene.at(isLook(provider), scene.kill)
    await scene.begin()
    expect(await afterwards(fired, sent)).toEqual([])
  })

  test.each(providers)('a stop is under way, and %s has not answered yet', async (provider) => {
    const fired = next()
    scene.at(second(provider, 'received'), async () => {
      scene.life().kill('SIGTERM')
      await until('it takes no more deliveries', () =>
        fetch(scene.origin).then(
          () => false,
          () => true,
        ),
      )
      await scene.kill()
    })
    expect(await afterwards(fired, scene.sender.send(twice(fired), 6))).toEqual([])
  })

  test('in the end all is stored, sent and in order', async () => {
    expect(await scene.finish(all)).toMatchObject({ faults: [], exit: 0, troubles: [], notices: 0 })
    await scene.close()
  })
})

test('where the bot may not read what it wrote, Discord knows the repeat by its nonce', async () => {
  const everyone = permission.viewChannel | permission.sendMessages | permission.embedLinks
  scene = await openScene({ random: createRandom(3), discord: { everyone } })
  await scene.begin()
  const fired = next()
  scene.at(second('discord', 'done'), scene.kill)
  expect(await afterwards(fired, scene.sender.send(twice(fired), 6))).toEqual([])
})
