// The key in the address stays in this browser: it is moved into the form, and out of the address.
const field = document.getElementById('key')
if (field !== null && location.hash.length > 20) {
  field.value = location.hash.slice(1)
  history.replaceState(null, '', location.pathname)
  if (field.form.dataset.sendsItself !== undefined) field.form.requestSubmit()
}
