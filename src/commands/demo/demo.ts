import { systemClock } from '../../platform/clock.ts'
import { minuteMs } from '../../platform/durations.ts'
import { stopSignal } from '../stop-signal.ts'
import type { Terminal } from '../terminal.ts'
import { acts } from './acts.ts'
import { type DemoPrinter, indent, sayTo } from './say.ts'
import { type DemoStage, openStage, skippedMs } from './stage.ts'
import { summarise } from './summary.ts'

const stays = 'Ctrl+C ends the demo.'

interface DemoOptions {
  seed: number
  /** Ends after the last act. */
  once: boolean
}

/** Runs the sandbox, Bluepencil and three channels in one process. Nothing is kept and no account is needed. */
export async function demo(options: DemoOptions, terminal: Terminal): Promise<void> {
  const stopping = new AbortController()
  void stopSignal().then(() => stopping.abort())
  const isWatched = process.stdout.isTTY === true
  const status = statusLine(isWatched && process.stderr.isTTY === true ? process.stderr : undefined)
  const cleared = (write: (text: string) => void) => (text: string) => {
    status.clear()
    write(text)
  }
  const above = { ...terminal, out: cleared(terminal.out), note: cleared(terminal.note) }
  try {
    await play({ ...options, isWatched, stopped: stopping.signal, status }, above)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
  } finally {
    status.clear()
  }
}

interface DemoRun extends DemoOptions {
  /** A person reads along, and takes time for it. */
  isWatched: boolean
  stopped: AbortSignal
  status: StatusLine
}

async function play({ seed, once, isWatched, stopped, status }: DemoRun, terminal: Terminal): Promise<void> {
  const beganAt = systemClock.now()
  const messages: string[] = []
  /** After the last act, what somebody makes happen is shown as it comes. */
  let show = (text: string): void => {
    messages.push(text)
  }
  const say = sayTo(terminal)
  say.title('Bluepencil demo')
  status.says('The monitoring service and Bluepencil start.')
  const stage = await openStage(seed, stopped, {
    ...terminal,
    width: terminal.width - indent,
    show: (text) => show(text),
  })
  try {
    introduce(stage, say)
    for (const [index, { title, play, seconds }] of acts.entries()) {
      say.gap()
      say.title(`${index + 1}  ${timeText(stage)}  ${title}`)
      await play({ stage, say, messages, terminal })
      status.says(`Act ${index + 1} of ${acts.length}. Ctrl+C ends the demo.`)
      if (isWatched) await systemClock.sleep(seconds * 1_000, stopped)
      stopped.throwIfAborted()
    }
    say.gap()
    say.title('In all')
    await summarise(stage, say, systemClock.now() - beganAt)
    say.line('Next, with a channel of your own: npx bluepencil init')
    if (once) return
    say.line('The demo stays until Ctrl+C. To make something happen, and see it here:')
    say.block(`  curl -d '{}' ${stage.service.origin}/_sandbox/events`)
    show = (text) => {
      say.gap()
      say.block(text)
      status.says(stays)
    }
    status.says(stays)
    await new Promise((resolve) => stopped.addEventListener('abort', resolve, { once: true }))
  } finally {
    await stage.close()
  }
}

function introduce({ service, origin, configFile, consoleUrl }: DemoStage, say: DemoPrinter): void {
  say.line(`A monitoring service (the sandbox) runs at ${service.url}, Bluepencil at ${origin}. Channels:`)
  say.rows([
    ['newsroom', 'as in Slack; everything, and what operators need to know'],
    ['politics-discord', 'as in Discord; political prompts'],
    ['big-changes-mail', 'as e-mail; 8 percentage points and more'],
  ])
  const minutes = skippedMs / minuteMs
  say.line(`The clock starts ${minutes} minutes ago and jumps ahead between acts.`)
  say.block(`While it runs, see it in a browser: ${consoleUrl}`)
  say.line('Or ask from a second terminal:')
  say.block(`  npx bluepencil events --config ${configFile}`)
}

/** "14:02 UTC". */
function timeText({ clock }: DemoStage): string {
  return `${new Date(clock.now()).toISOString().slice(11, 16)} UTC`
}

interface StatusLine {
  /** What is waited for. Drawn once: nothing on it moves. */
  says(text: string): void
  /** Takes it away, as before anything is written where it stands. */
  clear(): void
}

const clearLine = '\r\u001b[K'

/** One line below what was written last; none for who reads a file or a pipe. */
export function statusLine(
  screen: { columns?: number; write(text: string): unknown } | undefined,
): StatusLine {
  if (screen === undefined) return { says() {}, clear() {} }
  let isDrawn = false
  return {
    says(text) {
      screen.write(`${clearLine}${text.slice(0, (screen.columns ?? 80) - 1)}`)
      isDrawn = true
    },
    clear() {
      if (isDrawn) screen.write(clearLine)
      isDrawn = false
    },
  }
}
