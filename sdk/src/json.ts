// Token ids reach 2^256-1. A request has them as digits in a string. A response has them as JSON numbers, which JSON.parse would
// round: the long ones are read from the text itself (ECMAScript's JSON.parse source text access).

const bigintAsDigits = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

/** Returns the JSON of a request; a bigint becomes a string of digits. */
export const toJson = (value: unknown): string => JSON.stringify(value, bigintAsDigits)

const longNumber = /[[:,]\s*-?\d{16}/

/** Reads the JSON of a response; a whole number that a number cannot hold exactly becomes a bigint. */
export const fromJson = (text: string): unknown =>
  longNumber.test(text) ? JSON.parse(text, exactInteger) : JSON.parse(text)

function exactInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value)) return value
  if (context?.source === undefined)
    throw new Error('This JavaScript engine cannot read numbers beyond 2^53 exactly. Update it.')
  return /^-?\d+$/.test(context.source) ? BigInt(context.source) : value
}
