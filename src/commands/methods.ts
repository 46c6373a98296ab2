import type { Config } from '../config/schema.ts'
import { version } from '../config/version.ts'
import { filtersInWords, hoursInWords } from '../console/filters-in-words.ts'
import { methodsSection } from '../record/export/methods.ts'
import { type CommandOptions, configOf, withControl } from './configuration.ts'
import { type AccountedDays, accountOf, accountText, hasWebhook, spanOfDays } from './ledger.ts'
import type { Terminal } from './terminal.ts'

/** Prints how this installation finds and sends changes, for the methods section of a publication. */
export async function methods(options: CommandOptions & AccountedDays, terminal: Terminal): Promise<void> {
  const days = spanOfDays(options)
  const config = await configOf(options)
  const account = await withControl(config, terminal, (control) => accountOf(days, control))
  const text = methodsSection({
    version: version(),
    service: config.monitor?.name ?? 'Censorship Monitoring Service',
    hasWebhook: hasWebhook(config),
    polling: pollingIn(config),
    retentionMs: config.retention,
    figuresRetentionMs: config.figures.retention,
    channels: config.channels.map((channel) =>
      [`Channel ${channel.name} (${channel.type}):`, filtersInWords(channel), ...hoursInWords(channel)].join(
        ' ',
      ),
    ),
    account: accountText(account, config),
  })
  terminal.out(options.json ? `${JSON.stringify({ text, account })}\n` : `${text}\n`)
}

function pollingIn({ monitor, polling }: Config): { everyMs: number | undefined } | null {
  return monitor === undefined || polling.mode === 'off' ? null : { everyMs: polling.interval }
}
