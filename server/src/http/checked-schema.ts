// Prepares a schema of the contract for the compiler of checks.

import type { TSchema } from 'typebox'

type Fields = Record<string, TSchema>

/**
 * Returns a schema that checks the same.
 *
 * - It counts the items of each list before it checks them: of a list that is too long only that is said. Else tens of thousands
 *   of wrong items, which a body has room for, would each be an error.
 * - Objects with the same fields are compiled once. The groups of a gate would else be compiled forty times, in half a second.
 */
export function checkedSchema(schema: TSchema): TSchema {
  const shared = sharedFields(schema)
  const names = new Map<Fields, string>()
  const $defs: Record<string, TSchema> = {}

  function prepare(one: TSchema): TSchema {
    const { properties } = one as { properties?: Fields }
    if (!properties || !shared.has(properties)) return counted(one)
    const name = names.get(properties) ?? `fields${names.size}`
    if (!names.has(properties)) {
      names.set(properties, name)
      $defs[name] = counted(one)
    }
    return { $ref: `#/$defs/${name}` }
  }

  function counted(one: TSchema): TSchema {
    const { items, uniqueItems, ...rest } = mapInside(one, prepare) as TSchema & {
      items?: TSchema
      uniqueItems?: boolean
    }
    if (items === undefined) return rest
    const { description, maxItems } = one as { description?: string; maxItems?: number }
    const ofItems = { items, ...(uniqueItems && { uniqueItems }), ...(description && { description }) }
    return maxItems === undefined
      ? { ...rest, ...ofItems }
      : { ...rest, if: { minItems: maxItems + 1 }, else: ofItems as TSchema }
  }

  return { ...prepare(schema), $defs }
}

/** Returns the fields that several objects of a schema have: the same object in memory. */
function sharedFields(schema: TSchema): Set<Fields> {
  const seen = new Set<Fields>()
  const shared = new Set<Fields>()
  const visit = (one: TSchema): TSchema => {
    const { properties } = one as { properties?: Fields }
    if (properties && seen.has(properties)) shared.add(properties)
    else mapInside(one, visit)
    if (properties) seen.add(properties)
    return one
  }
  visit(schema)
  return shared
}

const isSchema = (value: unknown): value is TSchema => typeof value === 'object' && value !== null

/** Changes the schemas that stand in a schema. */
const mapInside = (schema: TSchema, change: (one: TSchema) => TSchema): TSchema =>
  Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (['properties', 'patternProperties'].includes(keyword))
        return [
          keyword,
          Object.fromEntries(Object.entries(value as Fields).map(([name, of]) => [name, change(of)])),
        ]
      if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) return [keyword, (value as TSchema[]).map(change)]
      const hasOne = ['items', 'additionalProperties', 'not'].includes(keyword)
      return [keyword, hasOne && isSchema(value) ? change(value) : value]
    }),
  ) as TSchema
