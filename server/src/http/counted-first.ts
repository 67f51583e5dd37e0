import type { TSchema } from 'typebox'

/**
 * Returns a schema that counts the items of each list before it checks them: of a list that is too long only that is said. Else
 * tens of thousands of wrong items, which a body has room for, would each be an error.
 */
export function countedFirst(schema: TSchema): TSchema {
  const { items, uniqueItems, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, inside(keyword, value)]),
  ) as TSchema & { items?: TSchema; uniqueItems?: boolean }
  if (items === undefined) return rest
  const { description, maxItems } = schema as { description?: string; maxItems?: number }
  const ofItems = { items, ...(uniqueItems && { uniqueItems }), ...(description && { description }) }
  return maxItems === undefined
    ? { ...rest, ...ofItems }
    : { ...rest, if: { minItems: maxItems + 1 }, else: ofItems as TSchema }
}

const isSchema = (value: unknown): value is TSchema => typeof value === 'object' && value !== null

/** These keywords have schemas. */
function inside(keyword: string, value: unknown): unknown {
  if (['properties', 'patternProperties'].includes(keyword))
    return Object.fromEntries(
      Object.entries(value as TSchema).map(([name, of]) => [name, countedFirst(of as TSchema)]),
    )
  if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) return (value as TSchema[]).map(countedFirst)
  const hasOne = ['items', 'additionalProperties', 'not'].includes(keyword)
  return hasOne && isSchema(value) ? countedFirst(value) : value
}
