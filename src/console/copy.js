// Copies a field, or a file that the server makes, and says so beside the button. Without it there are the fields and the links.
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null
  if (button !== null) void copy(button.dataset.copy, button.dataset.from).then((said) => say(button, said))
})

async function copy(id, from) {
  try {
    if (from === undefined) return (await copyField(document.getElementById(id))) ? 'Copied' : 'Press Ctrl+C'
    await navigator.clipboard.write([new ClipboardItem({ [id]: fileAt(from, id) })])
    return 'Copied'
  } catch {
    return 'Not copied: download it'
  }
}

/** Browsers give pages without https no clipboard, but a selection can be copied there too. */
async function copyField(field) {
  field.select()
  if (navigator.clipboard === undefined) return document.execCommand('copy')
  return navigator.clipboard.writeText(field.value).then(
    () => true,
    () => false,
  )
}

async function fileAt(address, type) {
  const answer = await fetch(address, { redirect: 'error' })
  if (!answer.ok) throw new Error(String(answer.status))
  return new Blob([await answer.arrayBuffer()], { type })
}

function say(button, words) {
  const place = button.parentElement.querySelector('[aria-live]')
  place.textContent = words
  setTimeout(() => {
    place.textContent = ''
  }, 4_000)
}
