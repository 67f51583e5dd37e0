// This file finds the fields of a dialog that a user has changed. The dialog reads the fields themselves, so that no
// form has to report it.

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** A search is nothing that gets lost. */
const selector = 'input:not([type=search], [role=combobox]), textarea, select'
/** These events come before a user changes a field. */
const before = ['pointerdown', 'keydown', 'focusin', 'beforeinput', 'dragenter'] as const
const during = ['input', 'change'] as const

const stateOf = (field: Field): string =>
  field.matches('[type=radio], [type=checkbox]') ? String((field as HTMLInputElement).checked) : field.value

/** Returns the first field that a user has changed and that still differs; undefined when there is none. */
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
