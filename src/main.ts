#!/usr/bin/env node
const oldest = 26
if (Number(process.versions.node.split('.')[0]) < oldest) {
  process.stderr.write(
    `Bluepencil needs Node ${oldest}, this is ${process.version}. In its folder, npm ci installs that Node; then use: npx bluepencil COMMAND\n`,
  )
  process.exit(1)
}

// Process 1 of a container gets no signal that it does not listen to, and loading takes a moment.
process.once('SIGTERM', () => process.exit(143))

const { run } = await import('./commands/program.ts')
process.exitCode = await run(process.argv.slice(2))

export {}
