// Shows a page anew when the server says that something has changed. Without it the page is as it was loaded.
const { live } = document.currentScript.dataset
const source = new EventSource(live)
let timer

/** Nothing is taken from under the hands of who writes or is about to press something. */
function isBusy() {
  const content = document.getElementById('content')
  const active = document.activeElement
  if (active !== null && active !== content && content.contains(active)) return true
  return [...content.querySelectorAll('input, textarea, select')].some(isChanged)
}

/** Somebody wrote or chose something else than the page came with. */
function isChanged(field) {
  if (field.type === 'checkbox' || field.type === 'radio') return field.checked !== field.defaultChecked
  if (field.tagName !== 'SELECT') return field.value !== field.defaultValue
  const options = [...field.options]
  return field.value !== (options.findLast((option) => option.defaultSelected) ?? options[0])?.value
}

async function refresh() {
  if (isBusy() || document.hidden) return later()
  const answer = await fetch(location.href, { headers: { accept: 'text/html' }, redirect: 'error' })
  if (!answer.ok) return
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('content')
  const here = document.getElementById('content')
  if (next === null) return
  if (isBusy()) return later()
  const open = [...here.querySelectorAll('details')].map((one) => one.open)
  next.querySelectorAll('details').forEach((one, index) => {
    one.open ||= open[index] === true
  })
  here.replaceChildren(...next.childNodes)
}

function later() {
  clearTimeout(timer)
  timer = setTimeout(() => void refresh().catch(() => undefined), 1_000)
}

source.addEventListener('changed', later)
