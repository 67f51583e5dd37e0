/** This is markup, as opposed to text that must be escaped. */
export interface Html {
  readonly markup: string
}

type Value = string | number | Html | Html[]

/** Makes HTML from a template and escapes each value that is not HTML itself. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html => ({
  markup: parts.reduce((text, part, i) => text + markupOf(values[i - 1] ?? '') + part),
})

/** Wraps markup of our own, which needs no escaping. */
export const trusted = (markup: string): Html => ({ markup })

function markupOf(value: Value): string {
  if (Array.isArray(value)) return value.map(({ markup }) => markup).join('')
  return typeof value === 'object' ? value.markup : escape(String(value))
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character]!)
