#!/usr/bin/env node
// @ts-check
// JavaScript: a Node that is too old can read it, and no TypeScript is read before there is a cache for it.

const oldest = 26
if (Number(process.versions.node.split('.')[0]) < oldest) {
  process.stderr.write(
    `Bluepencil needs Node ${oldest}, this is ${process.version}. In its folder, npm ci installs that Node; in a folder of your own, npm install of its package does. Then use: npx bluepencil COMMAND\n`,
  )
  process.exit(1)
}

// What has been compiled is not compiled again at the next start. Of a checkout, whose TypeScript is read through a
// compiler, some 20 MiB less stay with the process (npm run bench, "nothing compiled before"). Where nothing can be
// written there, each start compiles; NODE_COMPILE_CACHE names another folder.
const { enableCompileCache } = await import('node:module')
enableCompileCache(`${import.meta.dirname}/../node_modules/.cache/bluepencil`)

await import('./commands/stop-signal.ts')
const { run } = await import('./commands/program.ts')
const code = await run(process.argv.slice(2))
// A pipe takes what was written in its own time; an exit before that would cut it off.
await new Promise((resolve) => process.stdout.write('', resolve))
// What was asked for is done; a provider's connection that still stands is no reason to stay.
process.exit(code)
