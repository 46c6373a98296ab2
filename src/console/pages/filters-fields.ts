import { alertTypes, knownCategories, knownModels } from '../../event/event.ts'
import { modelName } from '../../message/render/words.ts'
import type { FiltersErrors, FiltersFormData } from '../filters-form.ts'
import { weekdays } from '../filters-in-words.ts'
import { choicesField, fieldGroup, selectField, textField } from '../form-parts.ts'
import { type Html, html } from '../html.ts'

const directions = {
  both: 'more and fewer refusals',
  rise: 'more refusals only',
  fall: 'fewer refusals only',
}
const rhythms = { '': 'none: at once', hour: 'every hour', day: 'every day', week: 'every week' }

interface FilledForm {
  form: FiltersFormData
  /** Why it was not accepted. */
  errors: FiltersErrors
}

/** What is wrong stands at its field, and the keyboard begins at the first. */
function fieldsOf(errors: FiltersErrors) {
  const first = Object.keys(errors).find((name) => name !== '')
  return (name: keyof FiltersFormData) => ({ name, error: errors[name], hasFocus: name === first })
}

/** Which alerts a channel gets. */
export function choices({ form, errors }: FilledForm): Html {
  const at = fieldsOf(errors)
  return html`${boxes({ ...at('models'), label: 'Models', help: 'None ticked: every model, also those to come.' }, knownModels, form.models, modelName)}
${boxes({ ...at('events'), label: 'Types', help: 'None ticked: every type.' }, alertTypes, form.events)}
${boxes({ ...at('categories'), label: 'Categories of prompts', help: 'None ticked: every category.' }, knownCategories, form.categories)}
${textField({ ...at('otherCategories'), label: 'Other categories', help: 'With commas between them', value: form.otherCategories })}
${pointsField({ ...at('minDelta'), label: 'Smallest change, in percentage points', help: 'Empty: any', value: form.minDelta })}
${selectField({ ...at('direction'), label: 'Direction', options: directions, value: form.direction })}`
}

/** When it gets them. */
export function hours({ form, errors, timeZone }: FilledForm & { timeZone: string }): Html {
  const at = fieldsOf(errors)
  const quiet = [
    textField({ ...at('quietFrom'), label: 'From', type: 'time', isShort: true, value: form.quietFrom }),
    textField({ ...at('quietTo'), label: 'To', type: 'time', isShort: true, value: form.quietTo }),
    boxes(
      { ...at('quietDays'), label: 'Days on which they begin', help: 'None ticked: every day.' },
      Object.keys(weekdays),
      form.quietDays,
      (day) => weekdays[day] ?? day,
    ),
    pointsField({
      ...at('quietUnless'),
      label: 'Send all the same from, in percentage points',
      help: 'Empty: hold every change',
      value: form.quietUnless,
    }),
  ]
  const digest = [
    selectField({ ...at('digestEvery'), label: 'How often', options: rhythms, value: form.digestEvery }),
    textField({
      ...at('digestAt'),
      label: 'At',
      help: 'Daily and weekly. Empty: 08:00',
      type: 'time',
      isShort: true,
      value: form.digestAt,
    }),
    selectField({
      ...at('digestOn'),
      label: 'On (weekly)',
      options: { '': 'Monday, if nothing is chosen', ...weekdays },
      value: form.digestOn,
    }),
    pointsField({
      ...at('digestUnless'),
      label: 'Send at once from, in percentage points',
      help: 'Empty: every change waits for the digest',
      value: form.digestUnless,
    }),
  ]
  return html`${fieldGroup(`Quiet hours (${timeZone})`, quiet, 'Alerts are held until they end; then one message says what came. Empty: none.')}
${fieldGroup(`Digest (${timeZone})`, digest, 'Alerts go out together, in one message.')}`
}

type BoundField = ReturnType<ReturnType<typeof fieldsOf>> & { label: string; help: string }

function pointsField(field: BoundField & { value: string }): Html {
  return textField({ ...field, inputMode: 'decimal', maxLength: 8, isShort: true })
}

function boxes(
  field: BoundField,
  known: readonly string[],
  chosen: readonly string[],
  shown: (one: string) => string = (one) => one.replaceAll('_', ' '),
): Html {
  const options = Object.fromEntries([...new Set([...known, ...chosen])].map((one) => [one, shown(one)]))
  return choicesField({ ...field, options, chosen })
}
