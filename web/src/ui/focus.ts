// Who may move the focus: what comes by itself, for example a page or a field that has loaded, leaves it where somebody uses it.

interface Focusable {
  focus: (options?: FocusOptions) => void
}

const typed = 'input:is([type=search], [type=text], :not([type])), textarea'

/** A menu closes when it loses the focus. */
const isInMenu = (): boolean => document.activeElement?.closest('[role=menu]') != null

/** Returns true when the focus is in a field with text, in an open menu or dialog, or at the button of one. */
function isFocusTaken(): boolean {
  const active = document.activeElement
  const isTyping = active?.matches(typed) === true && (active as HTMLInputElement).value !== ''
  return isTyping || isInMenu() || active?.closest('dialog, [aria-expanded=true]') != null
}

/** Focuses an element, unless somebody types or chooses elsewhere. */
export function focusUnlessTaken(element: Focusable | null | undefined, options?: FocusOptions): void {
  if (!isFocusTaken()) element?.focus(options)
}

/**
 * Focuses an element after some milliseconds, when the menu in which somebody has chosen is closed, which moves the focus too. A
 * menu that was opened since keeps the focus.
 */
export const focusAfterMenu = (find: () => Focusable | null, milliseconds: number) =>
  setTimeout(() => {
    if (!isInMenu()) find()?.focus()
  }, milliseconds)
