// Compares the packages that are installed in a folder with the lock file's production packages.
//
//   node packages.mjs APP_FOLDER package-lock.json     exit code 1 where they differ
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [app, lockFile] = process.argv.slice(2)

/** Type packages are dependencies of dependencies; the Dockerfile removes them. */
function belongs([path, { dev, optional, devOptional }]) {
  return path !== '' && !dev && !optional && !devOptional && !path.includes('/@types/')
}

function* installed(folder) {
  for (const name of namesIn(join(app, folder))) {
    const path = `${folder}/${name}`
    if (name.startsWith('@'))
      for (const inner of namesIn(join(app, path))) yield* withInner(`${path}/${inner}`)
    else yield* withInner(path)
  }
}

function* withInner(path) {
  yield path
  if (existsSync(join(app, path, 'node_modules'))) yield* installed(`${path}/node_modules`)
}

function namesIn(folder) {
  return readdirSync(folder).filter((name) => !name.startsWith('.'))
}

const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'))
const wanted = new Set(
  Object.entries(packages)
    .filter(belongs)
    .map(([path]) => path),
)
const present = new Set(installed('node_modules'))
const differences = [
  ...[...present].filter((path) => !wanted.has(path)).map((path) => `should not be there: ${path}`),
  ...[...wanted].filter((path) => !present.has(path)).map((path) => `is missing: ${path}`),
]
process.stdout.write(
  [...differences, `${present.size} packages installed, ${wanted.size} wanted`]
    .map((line) => `${line}\n`)
    .join(''),
)
process.exitCode = differences.length === 0 ? 0 : 1
