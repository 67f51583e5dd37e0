// What a text may have, for every string of every body of the contract.

import { encryptionFields } from '@parley/sdk/contract/encryption.ts'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import type { Problem } from '@parley/sdk/contract/errors.ts'
import type { Invisible } from '@parley/sdk/contract/fields.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { wideScopes } from '@parley/sdk/contract/scopes.ts'
import { exampleOf } from '../../testing/cases/longest-texts.ts'
import { expect, test } from 'vitest'
import { clientOf, newWallet, useService } from '../../testing/service/service.ts'
import { newApiKeyOf } from '../../testing/people/secrets.ts'
import { newHookOf } from '../../testing/people/secrets.ts'
import { addOperator } from '../../testing/people/moderators.ts'
import { issueToken } from '../src/auth/tokens.ts'

interface Schema {
  type?: string
  format?: string
  pattern?: string
  const?: unknown
  enum?: unknown[]
  'x-invisible'?: Invisible
  examples?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** Returns the strings that a value may have by their JSON Pointers; a list is read only in its first item. */
const stringsOf = (schema: Schema, at = ''): [pointer: string, schema: Schema][] => [
  ...(schema.type === 'string' || schema.enum ? [[at, schema] as [string, Schema]] : []),
  ...(schema.anyOf ?? []).flatMap((one) => stringsOf(one, at)),
  ...(schema.items ? stringsOf(schema.items, `${at}/0`) : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => stringsOf(one, `${at}/${name}`)),
]

const stringsIn = (place: 'body' | 'query') =>
  Object.entries<Endpoint>(contract).flatMap(([name, endpoint]) =>
    Array.from(
      new Map(stringsOf((endpoint[place] ?? {}) as Schema)),
      ([pointer, schema]) => [name, pointer, endpoint, schema] as const,
    ),
  )
const cases = stringsIn('body')

/** The examples of a body, with a character put into one of its strings. */
function bodyWith(schema: Schema, pointer: string, character: string): unknown {
  const body = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, { examples }]) => [
      name,
      structuredClone(examples?.[0]),
    ]),
  )
  const path = pointer.slice(1).split('/')
  const last = path.pop()!
  let parent = body as Record<string, unknown>
  for (const [i, name] of path.entries()) {
    // A list of texts ends the way; a list on the way is one of objects.
    const list = i + 1 < path.length ? [{}] : ['']
    parent = (parent[name] ??= (path[i + 1] ?? last) === '0' ? list : {}) as Record<string, unknown>
  }
  const value = String(parent[last])
  parent[last] = value.slice(0, 1) + character + value.slice(1)
  return body
}

const service = useService()

async function send(endpoint: Endpoint, body: unknown, token: string): Promise<Problem> {
  const { app } = service
  const value = endpoint.byHook ? await newHookOf(service, newWallet(), newWallet()) : newWallet()
  const answer = await app.inject({
    method: endpoint.method,
    url: endpoint.path.replace(/\{\w+\}/g, value),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    payload: JSON.stringify(body),
  })
  return answer.json()
}

const refused = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => !'\t\n\r'.includes(character),
)

test('the contract has the texts that people write', () => {
  const pointers = cases.map(([name, pointer]) => `${name}${pointer}`)
  expect(pointers).toEqual(
    expect.arrayContaining([
      'sendDirectMessage/message',
      'sendDirectMessage/encrypted_sym_x_key',
      'postGroupMessage/message',
      'createComment/message',
      'createCommunity/social/0/name',
      'setName/name',
      'signIn/msg',
      'updateSettings/signupsite',
      'joinChat/chain',
      'publishKey/backup',
    ]),
  )
})

test('a control character or a lone surrogate is a 400 that names the field and the character', async () => {
  const operator = newWallet()
  await addOperator(service, operator)
  const token = await issueToken(service.ctx, operator)
  const characters = [...refused, '\ud800', '\udfff']
  for (const [name, pointer, endpoint] of cases) {
    const answers = await Promise.all(
      characters.map((character) =>
        send(endpoint, bodyWith(endpoint.body as Schema, pointer, character), token),
      ),
    )
    for (const [n, { status, detail, errors }] of answers.entries()) {
      const code = characters[n]!.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
      const found = errors?.find((error) => error.pointer === `/body${pointer}`)?.detail
      expect([name, pointer, code, status, found]).toEqual([
        name,
        pointer,
        code,
        400,
        expect.stringMatching(new RegExp(`it has the (control character|lone surrogate) U\\+${code}$`)),
      ])
      expect(detail).toContain(`U+${code}`)
    }
  }
})

test('every free text of a request says what happens when it has invisible characters', () => {
  const isFree = ({ format = 'text', pattern, const: only, enum: values }: Schema) =>
    format === 'text' && pattern === undefined && only === undefined && !values
  const silent = [...stringsIn('body'), ...stringsIn('query')].filter(
    ([, , , schema]) => isFree(schema) && schema['x-invisible'] === undefined,
  )
  expect(silent.map(([name, pointer]) => `${name}${pointer}`)).toEqual([])
})

test('a text with invisible characters is refused as it says: of everybody, of programs, or of nobody', async () => {
  const operator = newWallet()
  await addOperator(service, operator)
  const ofPerson = await issueToken(service.ctx, operator)
  const { nftaddr, nftid } = contract.createComment.body.properties
  const ofExample = `comments:${String(exampleOf(nftaddr))}:${String(exampleOf(nftid as never))}`
  const ofProgram = await newApiKeyOf(service, operator, [...wideScopes, ofExample])
  const isRefused = async (endpoint: Endpoint, pointer: string, token: string) => {
    const hidden = ['\u202e', '\u{e0041}', '\u200b']
    const found = hidden.map(async (character) => {
      const body = bodyWith(endpoint.body as Schema, pointer, character) as Record<string, unknown>
      // An encrypted message may have any.
      if (pointer === '/message') for (const name of Object.keys(encryptionFields('x'))) delete body[name]
      const { errors } = await send(endpoint, body, token)
      return errors?.some(
        (error) => error.pointer === `/body${pointer}` && / has the invisible /.test(error.detail),
      )
    })
    return (await Promise.all(found)).every(Boolean)
  }
  for (const [name, pointer, endpoint, { 'x-invisible': rule }] of cases) {
    if (!rule) continue
    if (!endpoint.byHook)
      expect([name, pointer, await isRefused(endpoint, pointer, ofPerson)]).toEqual([
        name,
        pointer,
        rule === 'refused',
      ])
    if (endpoint.byHook || endpoint.scope)
      expect([name, pointer, await isRefused(endpoint, pointer, ofProgram)]).toEqual([
        name,
        pointer,
        rule !== 'allowed',
      ])
  }
})

test('an encrypted message of a program is stored as it is, whatever it has', async () => {
  const [fromaddr, toaddr] = [newWallet(), newWallet()]
  const program = clientOf(service.app, { token: await newApiKeyOf(service, fromaddr, ['dm:begin']) })
  const message = 'a\u202eb'
  const clear = program.sendDirectMessage({ body: { fromaddr, toaddr, message, encrypted_sym_x_key: '' } })
  await expect(clear).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringMatching(
      /^message must be .* it has the invisible character U\+202E at position 1$/,
    ),
  })
  const body = { fromaddr, toaddr, message, encrypted_sym_x_key: 'k' }
  expect(await program.sendDirectMessage({ body })).toMatchObject([{ message }])
})

test('messages keep tabs and line ends, and what else people write', async () => {
  const [fromaddr, toaddr] = [newWallet(), newWallet()]
  const client = await service.as(fromaddr)
  const message = '\ttab\r\nline\nأهلا \u200f👩‍👩‍👧 \x7f'
  const fields = { encrypted_sym_x_key: message, x_access_conditions: message }
  await client.sendDirectMessage({ body: { fromaddr, toaddr, message, ...fields } })
  expect(await client.listConversation({ fromaddr, toaddr })).toMatchObject([{ message, ...fields }])
})

/** Returns the pointers of all lists of a schema, each with its rule; a list in a list is one of its first item. */
const listsOf = (schema: Schema, at = ''): [pointer: string, rule: string][] => [
  ...(schema.items
    ? [[at, JSON.stringify(schema)] as [string, string], ...listsOf(schema.items, `${at}/0`)]
    : []),
  ...(schema.anyOf ?? []).flatMap((one) => listsOf(one, at)),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => listsOf(one, `${at}/${name}`)),
]
/** Equal lists cost the same: one stands for all. */
const lists = [
  ...new Map(
    Object.entries<Endpoint>(contract).flatMap(([name, endpoint]) =>
      listsOf((endpoint.body ?? {}) as Schema).map(
        ([pointer, rule]) => [rule, [name, pointer, endpoint] as const] as const,
      ),
    ),
  ).values(),
]

test.each(lists)(
  '%s%s: tens of thousands of wrong items are one error, soon',
  async (_, pointer, endpoint) => {
    const wallet = newWallet()
    if (endpoint.access === 'operator') await addOperator(service, wallet)
    const token = await issueToken(service.ctx, wallet)
    // The rules of an endpoint are compiled for its first request.
    await send(endpoint, {}, token)
    for (const item of [0, {}]) {
      // Other fields are left out: each that is required is an error more.
      const body: Record<string, unknown> = {}
      const path = pointer.slice(1).split('/')
      const last = path.pop()!
      let parent = body
      for (const [i, name] of path.entries())
        parent = (parent[name] = (path[i + 1] ?? last) === '0' ? [] : {}) as Record<string, unknown>
      parent[last] = Array(80_000).fill(item)
      const began = process.cpuUsage()
      const { status, errors } = await send(endpoint, body, token)
      const { user, system } = process.cpuUsage(began)
      expect(status).toBe(400)
      expect(errors?.slice(10)).toEqual([])
      expect((user + system) / 1000).toBeLessThan(200)
    }
  },
)
