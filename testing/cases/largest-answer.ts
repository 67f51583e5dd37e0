// This computes the maximum bytes of a response from its model: every text as long as it may be, and every list as full.
//
// A character of a text has 6 bytes at most as JSON, where it is escaped (\u0000). Texts with a format have no such characters:
// they have 4 bytes each, as UTF-8 has, and where the limit is in bytes twice that limit, because quotes and line feeds are
// escaped by one more byte.

/** The part of a schema that this reads. */
interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  propertyNames?: Schema
  maxProperties?: number
  items?: Schema
  maxItems?: number
  format?: string
  contentEncoding?: string
  maxLength?: number
  maximum?: number
  'x-max-bytes'?: number
}

/** The bytes as JSON of values with these formats, whose checks stand in server/src/http/validation.ts: some are ASCII. */
const longestOf: Record<string, number> = {
  address: 4 * 128,
  'token-id': 4 * 128,
  uint256: 78,
  'date-time': 40,
  'muted-until': 40,
  'idn-email': 2 * 254,
  scope: 4 * 160,
}

/** The digits of 2^256-1, and of any other number. */
const digits = 80
const double = 25

/** Returns the maximum bytes; `unbounded` receives each part that has no limit, which counts as nothing. */
export function largest(schema: Schema, at: string, unbounded: (part: string) => void): number {
  const of = (part: Schema, name: string) => largest(part, `${at}${name}`, unbounded)
  const nothing = (): number => {
    unbounded(at)
    return 0
  }
  const { anyOf, items, properties = {}, patternProperties, 'x-max-bytes': maxBytes } = schema
  if ('const' in schema) return JSON.stringify(schema.const).length
  if (schema.enum) return Math.max(...schema.enum.map((value) => Buffer.byteLength(JSON.stringify(value))))
  if (anyOf) return Math.max(...anyOf.map((part) => of(part, '')))
  switch (schema.type) {
    case 'object': {
      const records = Object.values(patternProperties ?? {})
      const fields = Object.entries(properties).map(([name, part]) => name.length + 4 + of(part, `.${name}`))
      const sum = fields.reduce((one, other) => one + other, 2)
      if (records.length === 0) return sum
      if (schema.maxProperties === undefined || !schema.propertyNames) return nothing()
      const key = of(schema.propertyNames, '{}') + 2
      return sum + schema.maxProperties * (key + Math.max(...records.map((part) => of(part, '{}'))))
    }
    case 'array': {
      const item = of(items!, '[]') + 1
      const most = schema.maxItems === undefined ? Infinity : 2 + schema.maxItems * item
      const bytes = Math.min(most, maxBytes ?? Infinity)
      return bytes === Infinity ? nothing() : bytes
    }
    case 'string': {
      if (maxBytes !== undefined) return 2 + maxBytes * (schema.format ? 2 : 6)
      const ofCharacter = schema.contentEncoding === 'base64' ? 1 : schema.format ? 4 : 6
      const byLength = schema.maxLength === undefined ? Infinity : schema.maxLength * ofCharacter
      const bytes = Math.min(longestOf[schema.format ?? ''] ?? Infinity, byLength)
      return bytes === Infinity ? nothing() : 2 + bytes
    }
    case 'integer':
      return schema.maximum === undefined ? digits : double
    case 'number':
      return double
    case 'boolean':
      return 5
    case 'null':
      return 4
    default:
      return nothing()
  }
}
