// Who may move the focus: what comes by itself, for example a page or a field that has loaded, leaves it where somebody uses it.

const typed = 'input:is([type=search], [type=text], :not([type])), textarea'

/** Returns true when the focus is in an open menu, which closes when it loses the focus. */
export const isInMenu = (): boolean => document.activeElement?.closest('[role=menu]') != null

/** Returns true when the focus is in a field with text, in an open menu or dialog, or at the button of one. */
export function isFocusTaken(): boolean {
  const active = document.activeElement
  const isTyping = active?.matches(typed) === true && (active as HTMLInputElement).value !== ''
  return isTyping || isInMenu() || active?.closest('dialog, [aria-expanded=true]') != null
}
