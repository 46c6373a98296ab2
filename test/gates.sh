#!/usr/bin/env bash
# Plants one fault after another in a copy of the tree, and says of each whether its gate turned red.
# Exit 1 where a gate did not see its fault. Run: bash test/gates.sh
set -u
cd "$(dirname "$0")/.."
root=$PWD
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git clone -q "$root" "$copy"
ln -s "$root/node_modules" "$copy/node_modules"
cd "$copy" || exit 1
export PATH="$root/node_modules/.bin:$PATH"
missed=0

# plant FILE TEXT: appends it. gate NAME COMMAND PATTERN: must fail, and say why.
plant() { printf '%s\n' "$2" >>"$1"; }
gate() {
  if out=$(bash -c "$2" 2>&1) || ! grep -qE "$3" <<<"$out"; then
    echo "NOT SEEN  $1"
    missed=1
  else
    echo "red       $1"
  fi
  git checkout -q . && git clean -qfd -e node_modules
}
lint='oxlint --type-aware --deny-warnings -f unix'
imports='vitest run test/unit/imports'

# That each row of the table refuses what it does not name is shown by the test itself.
plant src/deliver/removed.ts "export { route } from '../route/route.ts'"
gate 'a stage imports a stage' "$imports" 'removed.ts:[0-9]+ imports src/decide/route/route.ts; deliver may import'
plant src/service/sandbox/random.ts "export type { MonitorClient } from '../client/client.ts'"
gate 'the sandbox imports our client' "$imports" 'random.ts:[0-9]+ imports src/service/client/client.ts; sandbox may import'
mkdir src/planted
plant src/planted/planted.ts 'export const x = 1'
gate 'a folder without a row of its own' "$imports" 'planted.ts belongs to no row of the table'
plant src/channels/search-bounds.ts "export const x = () => fetch('https://provider.example')"
gate 'a provider is asked without bounds' "$lint" 'no-restricted-globals'
plant src/platform/clock.ts 'export async function f() { Promise.resolve().then(() => 1) }'
gate 'a floating promise' "$lint" 'no-floating-promises'
plant src/deliver/a.ts "import { b } from './b.ts'; export const a = () => b"
plant src/deliver/b.ts "import { a } from './a.ts'; export const b = () => a"
gate 'an import cycle' "$lint" 'no-cycle'
plant src/platform/clock.ts 'export const x: any = 1'
gate 'any' "$lint" 'no-explicit-any'
plant src/platform/clock.ts 'export default 1'
gate 'a default export' "$lint" 'no-default-export'
plant src/platform/clock.ts 'export   const   x=1'
gate 'wrong format' 'biome ci --colors=off .' 'clock.ts format'
plant src/platform/clock.ts "export const x: string = 1"
gate 'a wrong type' 'tsc --noEmit' 'TS2322'
plant src/platform/clock.ts 'export enum X { A }'
gate 'syntax that Node cannot run, by the compiler' 'tsc --noEmit' 'TS1294'
plant src/commands/program.ts 'enum X { A }'
gate 'syntax that Node cannot run, by booting' 'node src/main.js --version' 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX|SyntaxError'
plant src/platform/clock.ts 'export const x = 1'
gate 'an unused export' 'knip' 'x +src/platform/clock.ts'
plant src/unused.ts 'export const x = 1'
gate 'an unused file' 'knip' 'src/unused.ts'
plant src/platform/clock.ts "import snake from 'lodash.snakecase'; export const x = snake"
gate 'an undeclared dependency' 'knip' 'lodash.snakecase'
mkdir src/channels/fax
plant src/channels/fax/config.ts 'export const x = 1'
gate 'a channel that is not in the registry' 'vitest run test/unit/channels/registry.test.ts' 'fax'
sed -i 's#(docs/README.md)#(docs/gone.md)#' README.md
gate 'a link in README to nothing' 'vitest run test/unit/docs/pages.test.ts' 'gone.md'
exit $missed
