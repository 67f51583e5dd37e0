// Says in words what is wrong with the values of a request.

import type { FieldError } from '@parley/sdk/contract/errors.ts'
import { unseenProblem } from '@parley/sdk/unseen.ts'
import type { ErrorObject } from 'ajv'
import { otherSpelling, refusedCharacter } from '../values/formats.ts'

/** Values with many wrong fields have as many errors: the first of these are read. */
const mostDescribed = 1000
/** A response has this many errors at most. */
export const mostShown = 100

/** Puts errors about refused characters first: each form that a value does not have is an error too. It reads each value once. */
function charactersFirst(errors: ErrorObject[]): ErrorObject[] {
  const values = new Map(errors.map(({ instancePath, data }) => [instancePath, data]))
  for (const [at, data] of values) if (typeof data !== 'string' || !refusedCharacter(data)) values.delete(at)
  const isOther = ({ keyword, instancePath }: ErrorObject) =>
    keyword !== 'x-invisible' && !values.has(instancePath)
  return errors.toSorted((a, b) => Number(isOther(a)) - Number(isOther(b)))
}

/** Returns an error for each wrong value of a place: `path`, `query` or `body`. */
export function describeErrors(place: string, errors: ErrorObject[]): FieldError[] {
  // A list that has few enough items (checked-schema.ts) is not wrong itself when one of them is.
  const own = errors.filter(({ keyword }) => keyword !== 'if')
  const found = charactersFirst(own).slice(0, mostDescribed)
  return dropRepeats(found.map((error) => describe(place, error)))
}

function describe(
  place: string,
  { keyword, instancePath, params: detail, parentSchema, data }: ErrorObject,
): FieldError {
  if (keyword === 'required') {
    const name = String(detail.missingProperty)
    const { description } = (parentSchema?.properties?.[name] ?? {}) as { description?: string }
    return {
      pointer: `/${place}${instancePath}/${escapePointer(name)}`,
      detail: `is required${description ? `: ${description}` : ''}`,
    }
  }
  const expected = parentSchema?.description ?? expectedOf(keyword, detail)
  const character = typeof data === 'string' ? refusedCharacter(data) : undefined
  const spelling =
    keyword === 'format' && detail.format === 'address' && typeof data === 'string'
      ? otherSpelling(data)
      : undefined
  const found = character
    ? `it has the ${character}`
    : keyword === 'x-invisible'
      ? unseenProblem(data as string)
      : spelling
  return {
    pointer: `/${place}${instancePath}`,
    detail: `must be ${typeName(keyword, detail)}${expected}${found ? `; ${found}` : ''}`,
  }
}

const typeName = (keyword: string, detail: Record<string, unknown>) =>
  keyword === 'type' ? `of type ${String(detail.type)}: ` : ''
const expectedOf = (keyword: string, detail: Record<string, unknown>) =>
  keyword === 'type'
    ? 'see the docs'
    : `valid (${keyword}${Object.values(detail).length > 0 ? ` ${Object.values(detail).join(' ')}` : ''})`

const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

const dropRepeats = (errors: FieldError[]) =>
  errors.filter((error, i) => errors.findIndex((other) => other.pointer === error.pointer) === i)
