import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../src/service/sandbox/sandbox.ts'
import { clientScript } from '../support/client-script.ts'
import { createManualClock } from '../support/fakes/manual-clock.ts'
import { packedFiles } from '../support/packed.ts'
import { chained } from '../unit/record/evidence/scene.ts'

const work = mkdtempSync(join(tmpdir(), 'package-'))
const checkout = join(work, 'checkout')
/** Where somebody installs the package: empty before. */
const folder = join(work, 'desk')
const installed = join(folder, 'node_modules/bluepencil')

beforeAll(async () => {
  mkdirSync(checkout)
  mkdirSync(folder)
  const pages = ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs', 'compose.yaml']
  const needed = ['package.json', 'tsconfig.json', 'LICENSE', 'config', 'pack', 'src']
  for (const name of [...pages, ...needed, 'test', 'bench'])
    cpSync(name, join(checkout, name), { recursive: true })
  symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'))
  await run(checkout, 'npm', 'pack', '--silent', '--pack-destination', work)
  const [tarball = ''] = globSync(join(work, 'bluepencil-*.tgz'))
  // Without the Node that the package brings along: the one that runs the tests serves as well.
  const plain = [
    '--prefix',
    '.',
    '--ignore-scripts',
    '--omit=dev',
    '--omit=optional',
    '--no-audit',
    '--prefer-offline',
  ]
  await run(folder, 'npm', 'install', ...plain, tarball)
}, 180_000)

test('the package is JavaScript, declarations of the client, its pages and what is needed to run, and nothing else', () => {
  const made = globSync('src/**/*.{ts,js,css,html,svg,mustache,sql}', { exclude: ['**/write-*.ts'] }).map(
    (file) => file.replace(/^src/, 'dist').replace(/\.ts$/, '.js'),
  )
  const packed = globSync('**', { cwd: installed, exclude: ['node_modules'] }).filter((file) =>
    statSync(join(installed, file)).isFile(),
  )
  expect(
    packed.filter((file) => !/^dist\/(service\/client|platform|event)\b.*\.d\.ts$/.test(file)).sort(),
  ).toEqual([...made, ...packedFiles()].sort())
  // What grows it unseen: pictures, recordings, pages for those who work on it.
  const bytes = packed.map((file) => statSync(join(installed, file)).size)
  expect(
    packed.filter((file) => /internals|decisions|recorded|\.eml$|\.test\.|^(src|test|bench)\//.test(file)),
  ).toEqual([])
  expect(packed.filter((file) => !file.startsWith('dist/')).length).toBeLessThan(100)
  expect(bytes.reduce((all, one) => all + one, 0)).toBeLessThan(4_500_000)
})

test('what is installed directly has one version each', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  )
  const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))).toEqual([])
})

test('npm pack leaves the checkout as it was', () => {
  expect(readFileSync(join(checkout, 'package.json'), 'utf8')).toBe(readFileSync('package.json', 'utf8'))
  expect(existsSync(join(checkout, 'dist'))).toBe(false)
})

test('npx bluepencil --version answers', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(await run(folder, 'npx', 'bluepencil', '--version')).toBe(`${version}\n`)
})

test('npx bluepencil demo shows alerts, until it is stopped', async () => {
  const demo = spawn('npx', ['bluepencil', 'demo'], { cwd: folder, env: env(), detached: true })
  const closed = once(demo, 'close')
  let shown = ''
  demo.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
  // Ctrl+C reaches all processes of a terminal.
  const stop = () => process.kill(-(demo.pid ?? 0), 'SIGINT')
  onTestFinished(() => {
    if (demo.exitCode === null && demo.signalCode === null) stop()
  })
  await expect.poll(() => shown, { timeout: 50_000 }).toMatch(/reads in Slack\n.*percentage points/s)
  stop()
  await closed
})

test('every module finds what it needs in what npm installs', async () => {
  writeFileSync(
    join(folder, 'all.mjs'),
    `import { globSync } from 'node:fs'
    const modules = globSync('node_modules/bluepencil/dist/**/*.js', { exclude: ['**/main.js', '**/console/live-page.js', '**/console/copy.js', '**/console/link-key.js'] })
    await Promise.all(modules.map((file) => import('./' + file)))
    console.log(modules.length > 100)
    process.exit()`,
  )
  expect(await run(folder, process.execPath, 'all.mjs')).toBe('true\n')
})

test('the image can be compiled: what its Dockerfile has imported finds what it needs, and ends', async () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', '')
  const [, imports = ''] = /--eval "([^"]+)"/.exec(dockerfile) ?? []
  expect(imports).toContain('import(module)')
  const deletions = dockerfile.match(/(?<=^RUN )find .*-delete$/m)?.[0] ?? ''
  expect(deletions).toContain('.ttf')
  // A copy with its packages within, as in the image.
  const app = join(work, 'app')
  cpSync(join(folder, 'node_modules'), join(app, 'node_modules'), { recursive: true })
  for (const name of ['dist', 'package.json'])
    renameSync(join(app, 'node_modules/bluepencil', name), join(app, name))
  await run(app, 'sh', '-ec', deletions)
  const before = readdirSync(app)
  expect(await run(app, process.execPath, '--input-type=module', '--eval', imports)).toBe('')
  // Its user may write nothing there.
  expect(readdirSync(app)).toEqual(before)
  expect(await run(app, process.execPath, '--input-type=module', '--eval', chart('./dist'))).toBe('true\n')
  const files = globSync(['node_modules/**', 'dist/**'], { cwd: app }).map((file) =>
    statSync(join(app, file)),
  )
  const bytes = files.filter((file) => file.isFile()).reduce((all, { size }) => all + size, 0)
  expect(bytes).toBeLessThan(34_000_000)
})

test('verify needs nothing but a file: it runs in an empty root, without network, store and configuration', async ({
  skip,
}) => {
  const unshare = ['--map-root-user', '--mount', '--net']
  const mayIsolate = await run(folder, 'unshare', ...unshare, 'true').then(
    () => true,
    () => false,
  )
  skip(!mayIsolate, 'this machine allows no namespaces: unshare --map-root-user --mount --net')
  const files = mkdtempSync(join(work, 'files-'))
  const { evidence, store } = await chained()
  const text = await evidence()
  writeFileSync(join(files, 'whole.json'), text)
  writeFileSync(join(files, 'changed.json'), text.replace('2026-11-21T13:05:02', '2026-11-21T13:05:03'))
  const script = resolve('test/system/evidence/alone.sh')
  const packages = join(folder, 'node_modules')
  const alone = (...args: string[]) => {
    const root = mkdtempSync(join(work, 'root-'))
    return run(folder, 'unshare', ...unshare, 'sh', script, root, process.execPath, packages, files, ...args)
  }
  const seen = `const { readdirSync } = require('node:fs'); [...readdirSync('/'), ...Object.keys(os.networkInterfaces())].join(' ')`
  expect(await alone('-p', seen)).toMatch(/^files lib(64)?( lib64)? node node_modules usr\n$/)
  const main = '/node_modules/bluepencil/dist/main.js'
  const head = (await store.chain.newest())?.head ?? ''
  const output = await alone(main, 'verify', '/files/whole.json', '--head', head)
  expect(output).toContain('This file is whole: evt_2, received 2026-11-21T13:05:02.000Z.')
  expect(output).toContain('The head that you gave covers this event.')
  await expect(alone(main, 'verify', '/files/changed.json')).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('  received: it is not what was accepted'),
  })
})

test('a chart is drawn, with the fonts that come with it', async () => {
  writeFileSync(join(folder, 'chart.mjs'), chart('./node_modules/bluepencil/dist'))
  expect(await run(folder, process.execPath, 'chart.mjs')).toBe('true\n')
})

/** A script that says whether text is drawn. */
function chart(dist: string): string {
  return `import { pngOf } from '${dist}/message/chart/png.js'
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">TEXT</svg>'
    const text = '<text x="2" y="15" font-family="Inter">Abc</text>'
    const [blank, drawn] = [await pngOf(svg.replace('TEXT', '')), await pngOf(svg.replace('TEXT', text))]
    console.log(drawn.length > blank.length)`
}

test('the script in docs/client.md runs', async () => {
  const sandbox = await startSandbox({
    port: 0,
    seed: 7,
    clock: createManualClock(Date.UTC(2026, 10, 21, 12)),
  })
  onTestFinished(() => sandbox.close())
  writeFileSync(join(folder, 'script.mts'), clientScript(sandbox.url))
  const output = await run(folder, process.execPath, 'script.mts')
  expect(output).toMatch(/^2026-08-\d\dT\S+Z version \d\.\d: [1-9]\d?(\.\d)?% of 200\n/)
  expect(output).toMatch(/\nNOT_FOUND GET .* answered 404: /)
})

test('scripts are type-checked against it, as strictly as can be', async () => {
  writeFileSync(join(folder, 'right.mts'), clientScript('http://127.0.0.1:4010/v1'))
  writeFileSync(
    join(folder, 'wrong.mts'),
    `import { type History, MonitorClient } from 'bluepencil/client'
    const client = new MonitorClient({ baseUrl: 'https://monitor.example/v1', apiKey: 'key' })
    const points: string = (await client.history('claude')).points
    export const whole: History = 'claude'\n`,
  )
  const strictly = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false']
  const target = ['--module', 'nodenext', '--target', 'es2024']
  const checked = run(
    folder,
    resolve('node_modules/.bin/tsc'),
    ...strictly,
    ...target,
    'right.mts',
    'wrong.mts',
  )
  await expect(checked).rejects.toMatchObject({
    stdout: expect.stringMatching(
      /^wrong\.mts\(3,11\): error TS2322.*\nwrong\.mts\(4,18\): error TS2322.*\n$/,
    ),
  })
})

async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd, env: env() })
  return stdout
}

/** npm and npx with the Node of the tests. */
function env() {
  return { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) }
}
