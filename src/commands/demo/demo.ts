import { systemClock } from '../../platform/clock.ts'
import { minuteMs } from '../../platform/durations.ts'
import { stopSignal } from '../stop-signal.ts'
import type { Terminal } from '../terminal.ts'
import { acts } from './acts.ts'
import type { DemoStage } from './playing.ts'
import { type DemoPrinter, indent, sayTo } from './say.ts'
import { openStage, skippedMs } from './stage.ts'
import { noStatusLine, type StatusLine, statusLine } from './status-line.ts'
import { summarise } from './summary.ts'

const stays = 'Ctrl+C ends the demo.'

interface DemoOptions {
  seed: number
  /** Ends after the last act. */
  once: boolean
}

/** The sandbox, the bot and three channels in one process; nothing is kept and no account is needed. */
export async function demo(options: DemoOptions, terminal: Terminal): Promise<void> {
  const stopping = new AbortController()
  void stopSignal().then(() => stopping.abort())
  const isWatched = process.stdout.isTTY === true
  const status = isWatched && process.stderr.isTTY === true ? statusLine(process.stderr) : noStatusLine
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
  const stage = await openStage({
    seed,
    width: terminal.width - indent,
    colour: terminal.colour,
    stopped,
    show: (text) => show(text),
    note: terminal.note,
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
  say.line(
    `The demo's clock begins ${minutes} minutes ago and is moved on where time passes: each act has its time.`,
  )
  say.block(`While it runs, see it in a browser: ${consoleUrl}`)
  say.line('Or ask from a second terminal:')
  say.block(`  npx bluepencil events --config ${configFile}`)
}

/** "14:02 UTC". */
function timeText({ clock }: DemoStage): string {
  return `${new Date(clock.now()).toISOString().slice(11, 16)} UTC`
}
