// Compiles the contract's rules for a request's values for each endpoint: the values are valid, and they are the caller's own.

import { type Endpoint, paramNames } from '@parley/sdk/contract/endpoint.ts'
import { ApiError, type FieldError } from '@parley/sdk/contract/errors.ts'
import { isEncrypted } from '@parley/sdk/contract/encryption.ts'
import { type Invisible, maxMessageBytes } from '@parley/sdk/contract/fields.ts'
import { params } from '@parley/sdk/contract/params.ts'
import { hasUnseen } from '@parley/sdk/unseen.ts'
import { Ajv, type AnySchemaObject } from 'ajv'
import { type TSchema, Type } from 'typebox'
import type { Caller } from '../auth/tokens.ts'
import { isEmail } from '../values/email.ts'
import { parseScope } from '../values/scopes.ts'
import { compileQuery } from './query-values.ts'
import { checkedSchema } from './checked-schema.ts'
import { describeErrors, mostShown } from './value-errors.ts'
import {
  canonicalAddress,
  isAddress,
  isPrintable,
  isId,
  isMutedUntil,
  isText,
  isUint256,
  parseTime,
} from '../values/formats.ts'

/** A request has values in these three places. */
interface Values {
  params: unknown
  query: unknown
  body: unknown
}

/** The keywords of the contract receive this as `this`. */
interface Sender {
  /** This is true when an API key or an incoming hook sends the request. */
  isProgram: boolean
}

/** The place of a value that a keyword checks. */
interface Place {
  parentData: Record<string | number, unknown>
  parentDataProperty: string | number
}

const validator = createAjv()

const paramsSchemas = new Map<string, TSchema>()

/** Returns the path parameters of an endpoint as one schema: always the same object, so that ajv compiles it once. */
export function paramsSchema(path: string): TSchema {
  const known = paramsSchemas.get(path)
  if (known) return known
  const properties = paramNames(path).map((name) => [name, params[name] ?? unknownParam(name)] as const)
  const schema = Type.Object(Object.fromEntries(properties))
  paramsSchemas.set(path, schema)
  return schema
}

/**
 * Returns the check of an endpoint's values, which brings addresses to their canonical form in place, or throws a 400 that
 * names every wrong value and the expected form. Its schemas are compiled for the first request: for all endpoints that is a
 * third of what a start computes.
 */
export function compileValidation({
  path,
  query,
  body,
}: Endpoint): (values: Values, sender?: Sender) => void {
  const ofPath = paramsSchema(path)
  const compile = () => [
    ['params', validator.compile(ofPath)] as const,
    ...(query ? ([['query', validator.compile(query)]] as const) : []),
    ...(body ? ([['body', validator.compile(checkedSchema(body))]] as const) : []),
  ]
  let checks: ReturnType<typeof compile> | undefined
  const readQuery = query && compileQuery(query)
  return (values, sender = { isProgram: false }) => {
    readQuery?.(values.query)
    checks ??= compile()
    const errors: FieldError[] = []
    for (const [place, check] of checks) {
      if (check.call(sender, values[place])) continue
      errors.push(...describeErrors(place === 'params' ? 'path' : place, check.errors ?? []))
    }
    if (errors.length > 0) throw badRequest(errors.slice(0, mostShown))
  }
}

type Fields = Record<string, unknown>
const selfNames = ({ self }: Endpoint): readonly string[] => (self === undefined ? [] : [self].flat())

/** Compiles an endpoint's `self` into a check of valid values: 403 when the caller is another wallet. */
export function compileSelf(endpoint: Endpoint): (values: Values & { caller: Caller | null }) => void {
  const names = selfNames(endpoint)
  return (values) => {
    const { caller } = values
    if (names.length === 0 || caller?.kind !== 'wallet') return
    for (const name of names) {
      const value = (values.params as Fields)[name] ?? (values.body as Fields | undefined)?.[name]
      // A missing value means the caller itself.
      if (value === undefined || value === caller.address) return
    }
    throw new ApiError('forbidden', `This belongs to another wallet. You are signed in as ${caller.address}`)
  }
}

/** Does the same for the docs; undefined where any caller may act. */
export function describeSelf(endpoint: Endpoint): string | undefined {
  const names = selfNames(endpoint).map((name) => `\`${name}\``)
  if (names.length === 0) return undefined
  const who = names.length === 1 ? `the wallet ${names[0]} itself` : `a wallet that is ${names.join(' or ')}`
  return `Only ${who}${endpoint.access === 'wallet-or-admin' ? ', or the admin,' : ''} may do this.`
}

/** People see this name of a field, where its name on the wire is for programs. */
const spoken: Record<string, string> = { base64data: 'the picture' }

/** Returns the name of a pointer's value for people: `name` for /body/name, `the body` for /body. */
function nameOf(pointer: string): string {
  const [, place, ...names] = pointer.split('/')
  const name = names.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.')
  return name === '' ? `the ${place}` : (spoken[name] ?? name)
}

/** Makes a 400 that says in words what is wrong; programs find the pointers in `errors`. */
export const badRequest = (errors: FieldError[]): ApiError =>
  new ApiError(
    'bad_request',
    errors
      .slice(0, 3)
      .map(({ pointer, detail }) => `${nameOf(pointer)} ${detail}`)
      .join('; '),
    { errors },
  )

function createAjv(): Ajv {
  // Fields that the contract does not know are removed, so no handler ever sees one. No value changes its type.
  const ajv = new Ajv({
    coerceTypes: false,
    allErrors: true,
    verbose: true,
    removeAdditional: 'all',
    useDefaults: false,
    addUsedSchema: false,
    inlineRefs: false,
    passContext: true,
  })
  ajv.addFormat('address', isAddress)
  ajv.addFormat('token-id', isPrintable)
  ajv.addFormat('text', isText)
  ajv.addFormat('id', isId)
  ajv.addFormat('uint256', isUint256)
  ajv.addFormat('idn-email', isEmail)
  ajv.addFormat('time-param', (value) => parseTime(value) !== undefined)
  ajv.addFormat('muted-until', isMutedUntil)
  ajv.addFormat('scope', (value) => parseScope(value) !== undefined)
  ajv.addFormat('date-time', (value) => parseTime(value) !== undefined)
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    type: 'string',
    schemaType: 'number',
    errors: false,
    validate: (most: number, value: string) => value.length <= most && Buffer.byteLength(value) <= most,
  })
  ajv.addKeyword({
    keyword: 'x-invisible',
    type: 'string',
    schemaType: 'string',
    errors: false,
    validate(this: Sender, rule: Invisible, value: string, schema?: AnySchemaObject, at?: Place) {
      // A longer text is refused because of its length.
      const most = (schema?.['x-max-bytes'] as number | undefined) ?? maxMessageBytes
      if (rule === 'allowed' || value.length > most) return true
      const isAllowed =
        rule === 'refused-from-programs' && (!this.isProgram || isEncrypted(at?.parentData ?? {}))
      return isAllowed || !hasUnseen(value)
    },
  })
  ajv.addKeyword({
    keyword: 'x-canonical',
    type: 'string',
    schemaType: 'string',
    modifying: true,
    errors: false,
    validate: (_form: string, value: string, _schema?: AnySchemaObject, at?: Place) => {
      if (at) at.parentData[at.parentDataProperty] = canonicalAddress(value)
      return true
    },
  })
  return ajv
}

const unknownParam = (name: string): never => {
  throw new Error(`The path parameter {${name}} is not described in sdk/src/contract/params.ts`)
}
