// Reads the values of a query. They arrive as text: the contract's numbers and booleans are parsed, in one spelling each. Text in
// any other spelling stays text, which the validation refuses: a number must not become infinite or another one on the way.

import type { TObject, TSchema } from 'typebox'

const whole = /^-?[0-9]{1,16}$/

const readers: Record<string, (text: string) => unknown> = {
  integer: (text) => {
    const number = whole.test(text) ? Number(text) : NaN
    // Adding 0 removes the sign of a zero.
    return Number.isSafeInteger(number) ? number + 0 : text
  },
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  string: (text) => text,
}

const typesOf = (schema: TSchema): string[] => {
  const { type, anyOf } = schema as { type?: string; anyOf?: TSchema[] }
  return type === undefined ? (anyOf ?? []).flatMap(typesOf) : [type]
}

/**
 * Makes a function that parses the values of a query in place, by their types. A type that it does not know is an error at the
 * start.
 */
export function compileQuery({ properties }: TObject): (query: unknown) => void {
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    const [type, ...others] = new Set(typesOf(schema))
    const read = type === undefined || others.length > 0 ? undefined : readers[type]
    if (!read)
      throw new Error(
        `No query can say ${name}: the contract must have it as one of ${Object.keys(readers).join(', ')}`,
      )
    return type === 'string' ? [] : [[name, read] as const]
  })
  return (query) => {
    const values = query as Record<string, unknown>
    for (const [name, read] of fields) {
      const value = values[name]
      if (typeof value === 'string') values[name] = read(value)
    }
  }
}
