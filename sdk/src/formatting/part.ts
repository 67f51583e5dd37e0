/** A part of a formatted text: a text as it was typed, or an element with parts of its own. */
export type Part = string | FormattedElement

export interface FormattedElement {
  tag: 'strong' | 'em' | 'del' | 'code' | 'pre' | 'ul' | 'ol' | 'li' | 'blockquote'
  parts: Part[]
  /** An item of a numbered list has the number that was typed. */
  value?: number
  /** A block of code has the language that was typed, such as `ts`. */
  language?: string
}
