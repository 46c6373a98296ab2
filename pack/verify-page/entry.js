// Runs in the page: reads the files that somebody drops or chooses, and shows what `bluepencil verify` says of each.
import './jitless.js'
import { isHead, verdictOf } from '../../src/record/evidence/verdict.ts'

const results = document.getElementById('results')
const chooser = document.getElementById('file')
const head = document.getElementById('head')
const drop = document.getElementById('drop')
let files = []

function element(name, text, className = '') {
  const made = document.createElement(name)
  made.textContent = text
  made.className = className
  return made
}

async function shown(file, headGiven) {
  const verdict = await verdictOf(new Uint8Array(await file.arrayBuffer()), {
    head: headGiven,
    how: { secret: 'and bluepencil verify', head: '(enter it above)' },
  })
  const section = element('section', '', verdict.isWhole ? 'whole' : 'changed')
  const list = document.createElement('ul')
  list.append(...verdict.rows.map((row) => element('li', row)))
  section.append(element('h2', file.name), element('p', verdict.heading, 'verdict'), list)
  section.append(...verdict.notes.map((note) => element('p', note, 'note')))
  return section
}

async function verifyAll() {
  const given = head.value.trim()
  const isWrong = given !== '' && !isHead(given)
  head.setAttribute('aria-invalid', String(isWrong))
  document.getElementById('problem').textContent = isWrong ? 'A head has 64 digits, 0 to 9 and a to f.' : ''
  if (isWrong || files.length === 0) return
  const mine = files
  const sections = await Promise.all(mine.map((file) => shown(file, given === '' ? undefined : given)))
  if (mine === files) results.replaceChildren(...sections)
}

function take(list) {
  files = [...list]
  verifyAll().catch((error) => {
    results.replaceChildren(element('p', `The file cannot be read: ${error.message}`, 'verdict'))
  })
}

chooser.addEventListener('change', () => {
  take(chooser.files)
  // Else the same file, changed meanwhile, could not be chosen again.
  chooser.value = ''
})
head.addEventListener('change', () => take(files))
document.addEventListener('dragover', (event) => {
  event.preventDefault()
  drop.classList.add('over')
})
document.addEventListener('dragleave', () => drop.classList.remove('over'))
document.addEventListener('drop', (event) => {
  event.preventDefault()
  drop.classList.remove('over')
  if (event.dataTransfer.files.length > 0) take(event.dataTransfer.files)
})
