import { counted } from '../platform/text.ts'
import { type Html, html } from './html.ts'

/** What every field has. Its id is its name, so a page has one field of a name. */
interface Field {
  name: string
  label: string
  /** Says what to write, and an example. */
  help?: string | Html | undefined
  /** Why the answer was not accepted; shown at the field. */
  error?: string | undefined
  /** The keyboard begins here: of a page, one field at most. */
  hasFocus?: boolean | undefined
}

interface TextField extends Field {
  /** What stands there. A password is never shown again. */
  value?: string | undefined
  type?: 'text' | 'password' | 'number' | 'email' | 'url' | 'date' | 'time' | 'datetime-local'
  isRequired?: boolean
  /** For a few characters. */
  isShort?: boolean
  /** What a browser may fill in, such as `new-password`; `off` if it is not set. */
  autocomplete?: string
  maxLength?: number
  inputMode?: 'decimal' | 'numeric' | 'email' | 'url'
}

export function textField(field: TextField): Html {
  const { name, value = '', type = 'text', isRequired = false, isShort = false } = field
  const { autocomplete = 'off', maxLength, inputMode } = field
  return labelled(
    field,
    html`<input id="${name}" name="${name}" type="${type}" value="${type === 'password' ? '' : value}" autocomplete="${autocomplete}"${isRequired && html` required`}${isShort && html` class="short"`}${maxLength !== undefined && html` maxlength="${maxLength}"`}${inputMode && html` inputmode="${inputMode}"`}${described(field)}${focused(field)}>`,
  )
}

export function textArea(field: Field & { value?: string; rows?: number; isRequired?: boolean }): Html {
  const { name, value = '', rows = 4, isRequired = false } = field
  // A browser drops the first line break.
  return labelled(
    field,
    html`<textarea id="${name}" name="${name}" rows="${rows}"${isRequired && html` required`}${described(field)}${focused(field)}>
${value}</textarea>`,
  )
}

/** `options`: what is shown, by what is sent. */
export function selectField(field: Field & { value?: string; options: Record<string, string> }): Html {
  const { name, value, options } = field
  return labelled(
    field,
    html`<select id="${name}" name="${name}"${described(field)}${focused(field)}>${Object.entries(
      options,
    ).map(
      ([sent, shown]) => html`<option value="${sent}"${sent === value && html` selected`}>${shown}</option>`,
    )}</select>`,
  )
}

/** One tick: it sends `yes`, or nothing. */
export function tickField(field: Field & { isTicked: boolean }): Html {
  const { name, label, isTicked } = field
  return html`<div class="field${field.error !== undefined && ' refused'}"><label class="tick"><input id="${name}" name="${name}" type="checkbox" value="yes"${isTicked && html` checked`}${described(field)}${focused(field)}> ${label}</label>${notes(field)}</div>`
}

interface ChoicesField extends Field {
  /** What is shown, by what is sent. */
  options: Record<string, string>
  chosen: readonly string[]
  /** One of them alone. */
  isSingle?: boolean
}

/** A list of ticks, or of radio buttons. The first has the field's name as its id. */
export function choicesField(field: ChoicesField): Html {
  const { name, label, options, chosen, isSingle = false } = field
  const type = isSingle ? 'radio' : 'checkbox'
  return html`<fieldset class="boxes field${field.error !== undefined && ' refused'}"${described(field, 'group')}><legend>${label}</legend>${notes(field)}
${Object.entries(options).map(
  ([sent, shown], index) =>
    html`<label><input type="${type}" name="${name}" value="${sent}"${index === 0 && html` id="${name}"${focused(field)}`}${chosen.includes(sent) && html` checked`}> ${shown}</label>`,
)}</fieldset>`
}

/** Fields that belong together. */
export function fieldGroup(legend: string, fields: readonly Html[], help?: string | Html): Html {
  return html`<fieldset><legend>${legend}</legend>${help !== undefined && html`<p class="help">${help}</p>`}${fields}</fieldset>`
}

/** The first button is the one that Enter presses. `name` and `value` say which was pressed. */
export function buttonRow(
  buttons: readonly { label: string; name?: string; value?: string; look?: 'quiet' | 'danger' }[],
  besides?: Html,
): Html {
  return html`<div class="row">${buttons.map(
    ({ label, name, value, look }) =>
      html`<button${look && html` class="${look}"`}${name && html` name="${name}"`}${value && html` value="${value}"`}>${label}</button>`,
  )}${besides}</div>`
}

/** Where somebody is in a wizard. Steps with an address are links. */
export function stepList(
  steps: readonly { label: string; href?: string | undefined; isComplete: boolean }[],
  current: number,
): Html {
  return html`<ol class="steps" aria-label="Steps">${steps.map(
    ({ label, href, isComplete }, index) =>
      html`<li${isComplete && html` class="complete"`}${index === current && html` aria-current="step"`}>${href === undefined || index === current ? html`<span>${label}</span>` : html`<a href="${href}">${label}</a>`}${isComplete && html`<span class="unseen"> (done)</span>`}</li>`,
  )}</ol>`
}

/**
 * What is wrong with a form, above it, with a link to each field. `errors`: by the name of the field; `''` is about the whole form.
 * Shows nothing if there is none.
 */
export function errorSummary(errors: Readonly<Record<string, string | undefined>>): Html | false {
  const all = Object.entries(errors).flatMap(([name, error]) =>
    error === undefined ? [] : [{ name, error }],
  )
  if (all.length === 0) return false
  const fields = all.filter(({ name }) => name !== '').length
  const title =
    fields === 0 ? 'Nothing was saved' : `Nothing was saved. Please check ${counted(fields, 'answer')}`
  return html`<div class="wrong" role="alert" id="problem"><h2>${title}</h2><ul>${all.map(
    ({ name, error }) =>
      name === '' ? html`<li>${error}</li>` : html`<li><a href="#${name}">${error}</a></li>`,
  )}</ul></div>`
}

function labelled(field: Field, control: Html): Html {
  const { name, label } = field
  return html`<div class="field${field.error !== undefined && ' refused'}"><label for="${name}">${label}</label>${notes(field)}${control}</div>`
}

/** Help and error stand before the control: a keyboard on a phone would cover them. */
function notes({ name, help, error }: Field): Html {
  return html`${help !== undefined && html`<p class="help" id="${name}-help">${help}</p>`}${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}`
}

function focused({ hasFocus = false }: Field): Html | false {
  return hasFocus && html` autofocus`
}

function described({ name, help, error }: Field, of: 'control' | 'group' = 'control'): Html | false {
  const ids = [
    ...(error === undefined ? [] : [`${name}-error`]),
    ...(help === undefined ? [] : [`${name}-help`]),
  ]
  if (ids.length === 0) return false
  // A group of boxes has no value that could be invalid.
  const isInvalid = error !== undefined && of === 'control'
  return html` aria-describedby="${ids.join(' ')}"${isInvalid && html` aria-invalid="true"`}`
}
