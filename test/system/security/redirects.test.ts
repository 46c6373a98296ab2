import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { MonitorClient } from '../../../src/service/client/client.ts'
import {
  json,
  type ScriptedService,
  startScriptedService,
} from '../../unit/service/client/scripted-service.ts'
import { runHere } from './run-here.ts'

const key = 'key-of-the-desk-4711'

/** Stands for any other program that listens on this machine. */
const trap = createServer((socket) => {
  visitors += 1
  socket.destroy()
})
let visitors = 0
let port = 0
let service: ScriptedService
let folder: string

beforeAll(async () => {
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
  const address = trap.address()
  port = typeof address === 'object' ? (address?.port ?? 0) : 0
  service = await startScriptedService()
})
afterAll(async () => {
  trap.close()
  await service.close()
})
beforeEach(() => {
  visitors = 0
  service.received.length = 0
  folder = mkdtempSync(join(tmpdir(), 'bluepencil-redirects-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

function leadTo(address: string): void {
  service.script = (_, response) => {
    response.writeHead(302, { location: address }).end()
    return 'answered'
  }
}

async function download() {
  const config = join(folder, 'b.yaml')
  writeFileSync(
    config,
    `store: file:${folder}/data\nmonitor: { baseUrl: "${service.baseUrl}", apiKey: ${key} }\nchannels: [{ name: desk, type: console }]\n`,
  )
  const output = join(folder, 'out.csv')
  return runHere('monitor', 'download', 'x', '--output', output, '--config', config)
}

describe('bluepencil monitor download', () => {
  test.each([
    'http://127.0.0.1:PORT/admin',
    'https://127.0.0.1:PORT/admin',
    'http://localhost:PORT/',
    'https://localhost:PORT/',
    '//127.0.0.1:PORT/',
    'http://[::1]:PORT/',
    'https://[::ffff:127.0.0.1]:PORT/',
    'https://2130706433:PORT/',
    'https://0x7f.1:PORT/',
    'https://0:PORT/',
    'https://user:pass@127.0.0.1:PORT/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'file:///etc/hostname',
    'data:text/plain,x',
  ])('is not led to %s', async (address) => {
    leadTo(address.replace('PORT', String(port)))
    const { code, stderr, stdout } = await download()
    expect(stderr).toMatch(/^bluepencil: .* Bluepencil did not follow/)
    expect({ code, stdout, visitors }).toEqual({ code: 1, stdout: '', visitors: 0 })
    expect(readdirSync(folder)).not.toContain('out.csv')
  })

  test('is not led there by a link in JSON either', async () => {
    service.answerWith({ url: `http://127.0.0.1:${port}/admin` })
    const { code, stderr } = await download()
    expect(stderr).toMatch(/^bluepencil: .* Bluepencil did not follow/)
    expect({ code, visitors }).toEqual({ code: 1, visitors: 0 })
  })
})

describe('a dataset that is kept elsewhere', () => {
  /** Where names of the test lead to, in place of DNS. */
  const names: Record<string, string[]> = {
    'storage.example': ['93.184.216.34', '2606:2800:220:1::1'],
    'inside.example': ['10.0.0.7'],
    'both.example': ['93.184.216.34', '127.0.0.1'],
  }
  let storage: ScriptedService
  const reached: string[] = []

  beforeAll(async () => {
    storage = await startScriptedService()
  })
  afterAll(() => storage.close())
  beforeEach(() => {
    reached.length = 0
    storage.received.length = 0
    storage.script = (_, response) => {
      json(response, 200, [1, 2, 3])
      return 'answered'
    }
  })

  const client = () =>
    new MonitorClient({
      baseUrl: service.baseUrl,
      apiKey: key,
      tries: 1,
      async resolve(host) {
        const address = names[host]
        if (address === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
        return address
      },
      fetch(address, init) {
        const url = new URL(address instanceof Request ? address.url : address)
        if (url.origin === service.origin) return fetch(url, init)
        reached.push(url.host)
        return fetch(`${storage.origin}${url.pathname}`, init)
      },
    })
  const download = () => client().download('x', { to: join(folder, 'out.json') })

  test('on the internet is fetched from there by https, without the key', async () => {
    leadTo('https://storage.example/x')
    expect(await download()).toMatchObject({ bytes: 7 })
    expect(reached).toEqual(['storage.example'])
    expect(JSON.stringify(storage.received)).not.toContain(key)
  })

  test.each([
    ['http://storage.example/x', 'by http'],
    ['https://inside.example/x', 'this machine or of a private network'],
    ['https://both.example/x', 'this machine or of a private network'],
  ])('is not fetched from %s', async (address, says) => {
    leadTo(address)
    await expect(download()).rejects.toMatchObject({
      name: 'Unintelligible',
      message: expect.stringContaining(says),
    })
    expect(reached).toEqual([])
  })

  test('whose name cannot be looked up is not fetched', async () => {
    leadTo('https://nowhere.example/x')
    await expect(download()).rejects.toMatchObject({
      name: 'Unreachable',
      message: expect.stringContaining('ENOTFOUND'),
    })
    expect(reached).toEqual([])
  })

  test('does not lead on to where the service may not lead', async () => {
    leadTo('https://storage.example/x')
    for (const to of [`http://127.0.0.1:${port}/`, 'https://inside.example/', 'http://storage.example/']) {
      storage.script = (_, response) => {
        response.writeHead(307, { location: to }).end()
        return 'answered'
      }
      await expect(download()).rejects.toMatchObject({ message: expect.stringContaining('did not follow') })
    }
    expect(visitors).toBe(0)
    expect(reached).toEqual(['storage.example', 'storage.example', 'storage.example'])
  })

  test('and leads back to the service gets no key there', async () => {
    service.script = ({ path }, response) => {
      if (path.startsWith('/files/')) json(response, 200, [1])
      else response.writeHead(302, { location: 'https://storage.example/x' }).end()
      return 'answered'
    }
    storage.script = (_, response) => {
      response.writeHead(302, { location: `${service.origin}/files/x` }).end()
      return 'answered'
    }
    await download()
    expect(service.received.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${key}`, undefined])
  })

  test('in a circle is given up', async () => {
    leadTo('https://storage.example/x')
    storage.script = (_, response) => {
      response.writeHead(302, { location: 'https://storage.example/y' }).end()
      return 'answered'
    }
    await expect(download()).rejects.toMatchObject({ message: expect.stringContaining('5 times') })
  })
})
