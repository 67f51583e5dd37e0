const typed = 'input:is([type=search], [type=text], :not([type])), textarea'

/** Returns true when a field with text has the focus: a page that arrives meanwhile leaves it there. */
export function isTyping(): boolean {
  const active = document.activeElement
  return active?.matches(typed) === true && (active as HTMLInputElement).value !== ''
}
