#!/usr/bin/env node
import './commands/stop-signal.ts'

const oldest = 26
if (Number(process.versions.node.split('.')[0]) < oldest) {
  process.stderr.write(
    `Bluepencil needs Node ${oldest}, this is ${process.version}. In its folder, npm ci installs that Node; then use: npx bluepencil COMMAND\n`,
  )
  process.exit(1)
}

const { run } = await import('./commands/program.ts')
// What was asked for is done; a provider's connection that still stands is no reason to stay.
process.exit(await run(process.argv.slice(2)))
