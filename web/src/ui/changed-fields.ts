// Which fields of a dialog a person has changed. The dialog looks at the fields themselves, so that no
// form has to say it.

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const selector = 'input, textarea, select'
/** What comes before a person changes a field. */
const before = ['pointerdown', 'keydown', 'focusin', 'beforeinput', 'dragenter'] as const
const during = ['input', 'change'] as const

const stateOf = (field: Field): string =>
  field.matches('[type=radio], [type=checkbox]') ? String((field as HTMLInputElement).checked) : field.value

/** The first field that a person has changed and that still differs; undefined where there is none. */
export type ChangedField = () => HTMLElement | undefined

/** Follows the fields of an element until `stop` is called. */
export function watchFields(element: HTMLElement): { changed: ChangedField; stop: () => void } {
  const initial = new WeakMap<Field, string>()
  const touched = new Set<Field>()
  const remember = () => {
    for (const field of element.querySelectorAll<Field>(selector))
      if (!initial.has(field)) initial.set(field, stateOf(field))
  }
  const touch = ({ target }: Event) => {
    if (target instanceof Element && target.matches(selector)) touched.add(target as Field)
  }
  remember()
  for (const type of before) element.addEventListener(type, remember, true)
  for (const type of during) element.addEventListener(type, touch, true)
  return {
    changed: () =>
      [...touched].find((field) => element.contains(field) && stateOf(field) !== (initial.get(field) ?? '')),
    stop: () => {
      for (const type of before) element.removeEventListener(type, remember, true)
      for (const type of during) element.removeEventListener(type, touch, true)
    },
  }
}
