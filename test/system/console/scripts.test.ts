import { describe, expect, test } from 'vitest'
import { nasty } from '../security/texts.ts'
import { hostileDesk, queries } from './hostile-desk.ts'
import { harmful, markupThatRuns } from './markup.ts'

const desk = hostileDesk()

describe('what the service says is text and no markup', () => {
  test('on the page of each alert', async () => {
    const visitor = desk().visitor()
    for (let index = 0; index <= nasty.length; index++) {
      const { status, html, headers } = await visitor.see(`/alerts/evt_nasty${index}`)
      expect(status).toBe(200)
      expect(markupThatRuns(html)).toEqual([])
      expect(headers['content-security-policy']).toMatch(
        /default-src 'none';style-src 'self';script-src 'self'/,
      )
    }
    for (const id of [harmful('id'), 'evt_methodology']) {
      const { html } = await visitor.see(`/alerts/${encodeURIComponent(id)}`)
      expect(markupThatRuns(html)).toEqual([])
    }
  })

  test.each([
    '/',
    '/alerts',
    '/silences',
    '/failed',
    '/log',
    '/models',
    '/channels',
    '/configuration',
    '/tokens',
  ])('on %s', async (path) => {
    const { status, html } = await desk().visitor().see(path)
    expect(status).toBe(200)
    expect(markupThatRuns(html)).toEqual([])
  })
})

describe('what an address says is text and no markup', () => {
  // Each of the hostile texts in each of them: test/night/console/scripts.test.ts.
  test('in each of its parameters', async () => {
    const visitor = desk().visitor()
    const harm: string[] = []
    for (const path of ['/alerts', '/models', '/silences', '/sign-in']) {
      for (const name of queries) {
        const { status, html } = await visitor.see(`${path}?${name}=${encodeURIComponent(harmful(name))}`)
        if (status >= 400) harm.push(`${path} ${name}: ${status}`)
        harm.push(...markupThatRuns(html))
      }
    }
    expect(harm).toEqual([])
  })

  test.each([
    '/alerts/%00',
    '/alerts/%E0%A4%A',
    '/alerts/..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/alerts/__proto__',
    '/style.css',
    '/live-page.js',
    '//evil.example/',
  ])('nor in a path: %s', async (path) => {
    const { status, html } = await desk().visitor().see(path)
    expect([400, 404]).toContain(status)
    expect(markupThatRuns(html)).toEqual([])
    expect(html).not.toContain('root:')
  })
})

test('every answer forbids scripts of others, frames and guesses at its type', async () => {
  for (const path of [
    '/',
    '/alerts/evt_nasty0',
    '/nowhere',
    '/sign-in',
    '/alerts/evt_nasty0/chart-light.svg',
  ]) {
    const { headers } = await desk().visitor().see(path)
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/base-uri 'none';frame-ancestors 'none'$/),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'same-origin',
    })
    expect(headers['x-powered-by']).toBeUndefined()
  }
})
