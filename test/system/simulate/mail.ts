import { between, type Chance } from '../detector/chance.ts'
import { fairWeather, type Weather, type Wire, wires } from './network.ts'
import type { Readers } from './readers.ts'
import type { Timeline } from './timeline.ts'

/** A mail server in memory. */
export interface MailServer {
  readonly name: 'mail'
  weather: Weather
  /** What `net.connect` is in the simulation. */
  connect(options: { port?: number; host?: string }, onConnect?: () => void): Wire
}

interface Session {
  lines: string
  isData: boolean
  to: string[]
}

/** How each command and each mail fares. Twenty answers make a mail, so that one in so many goes wrong. */
const perMail = 6

export function createMailServer(parts: {
  timeline: Timeline
  random: Chance
  readers: Readers
  note(what: string): void
  onStep(): void
}): MailServer {
  const { timeline, random, readers, note } = parts
  const server: MailServer = { name: 'mail', weather: { ...fairWeather }, connect }

  function happens(name: keyof Weather, part = 1): boolean {
    return random() < server.weather[name] / part
  }

  function connect(_options: { port?: number; host?: string }, onConnect?: () => void): Wire {
    parts.onStep()
    const { near, far } = wires(timeline)
    if (happens('refused')) {
      note('mail: refused')
      timeline.after(5, () =>
        near.destroy(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })),
      )
      return near
    }
    timeline.after(2, () => {
      near.emit('connect')
      onConnect?.()
    })
    const session: Session = { lines: '', isData: false, to: [] }
    far.on('data', (bytes: Buffer) => receive(far, session, bytes.toString('latin1')))
    far.on('error', () => undefined)
    if (!happens('lostThere', perMail)) timeline.worldAfter(4, () => say(far, '220 mail.example ESMTP'))
    return near
  }

  function say(far: Wire, line: string): void {
    if (!far.destroyed) far.write(`${line}\r\n`)
  }

  function receive(far: Wire, session: Session, text: string): void {
    session.lines += text
    for (;;) {
      const end = session.lines.indexOf(session.isData ? '\r\n.\r\n' : '\r\n')
      if (end === -1) return
      const line = session.lines.slice(0, end)
      session.lines = session.lines.slice(end + (session.isData ? 5 : 2))
      if (session.isData) {
        session.isData = false
        acceptMail(far, session, line)
      } else command(far, session, line)
    }
  }

  function command(far: Wire, session: Session, line: string): void {
    const verb = line.slice(0, 4).toUpperCase()
    if (happens('lostThere', perMail)) return
    if (verb === 'MAIL') session.to = []
    if (verb === 'RCPT') session.to.push(/<([^>]*)>/.exec(line)?.[1] ?? '')
    if (verb === 'DATA') session.isData = true
    say(far, happens('failing', perMail) ? '421 try again later' : answerTo(verb))
    if (verb === 'QUIT') far.end()
  }

  function answerTo(verb: string): string {
    if (verb === 'EHLO') return '250-mail.example\r\n250-PIPELINING\r\n250 8BITMIME'
    if (verb === 'DATA') return '354 go on'
    if (verb === 'QUIT') return '221 bye'
    return verb === 'MAIL' && happens('limited') ? '451 greylisted' : '250 ok'
  }

  /** The whole mail is here. */
  function acceptMail(far: Wire, session: Session, raw: string): void {
    for (const to of session.to) readers.trying(`mail ${to}`, readable(raw))
    parts.onStep()
    if (happens('lostThere')) {
      note('mail: the mail is lost')
      return
    }
    if (happens('nonsense')) {
      say(far, '554 no')
      return
    }
    const wait = happens('late') ? between(random, 1_000, 50_000) : between(random, 1, 20)
    timeline.worldAfter(wait, () => {
      const fresh = session.to.map((to) => readers.show(`mail ${to}`, readable(raw)))
      note(`mail: took ${fresh.map(({ own }) => own).join()}`)
      if (happens('lostBack')) {
        note('mail: taken, and no answer')
        return
      }
      if (happens('broken')) {
        note('mail: taken, and the connection breaks')
        far.destroy()
        return
      }
      timeline.worldAfter(happens('slow') ? between(random, 1_000, 50_000) : 1, () => {
        if (far.other?.isHeard() === true) for (const shown of fresh) shown.answeredAt = timeline.now()
        say(far, '250 taken')
      })
    })
  }

  return server
}

/** Quoted-printable, folded lines and the second dot of a line that begins with one (RFC 5321, 4.5.2) undone. */
function readable(raw: string): string {
  return raw
    .replaceAll('\r\n..', '\r\n.')
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})((?:=[0-9A-F]{2})*)/g, (whole) =>
      Buffer.from(whole.replaceAll('=', ''), 'hex').toString('utf8'),
    )
}
