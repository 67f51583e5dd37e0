// What no text may hold, for every string of every body of the contract.

import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import type { Problem } from '@parley/sdk/contract/errors.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWallet, type Service, startService } from '../../testing/service.ts'
import { newHookOf } from '../../testing/hooks.ts'
import { addOperator } from '../../testing/moderators.ts'
import { issueToken } from '../src/auth/tokens.ts'

interface Schema {
  type?: string
  enum?: unknown[]
  examples?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** JSON Pointers to the strings that a value may have; a list is looked at in its first item. */
const stringsOf = ({ type, enum: values, properties = {}, items, anyOf = [] }: Schema, at = ''): string[] => [
  ...new Set([
    ...(type === 'string' || values ? [at] : []),
    ...anyOf.flatMap((schema) => stringsOf(schema, at)),
    ...(items ? stringsOf(items, `${at}/0`) : []),
    ...Object.entries(properties).flatMap(([name, schema]) => stringsOf(schema, `${at}/${name}`)),
  ]),
]

const cases = Object.entries<Endpoint>(contract).flatMap(([name, endpoint]) =>
  endpoint.body
    ? stringsOf(endpoint.body as Schema).map((pointer) => [name, pointer, endpoint] as const)
    : [],
)

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
  for (const name of path) parent = parent[name] as Record<string, unknown>
  const value = String(parent[last])
  parent[last] = value.slice(0, 1) + character + value.slice(1)
  return body
}

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

async function send(endpoint: Endpoint, body: unknown, wallet = newWallet()): Promise<Problem> {
  const { app, ctx } = service
  const value = endpoint.byHook ? await newHookOf(service, newWallet(), newWallet()) : newWallet()
  const answer = await app.inject({
    method: endpoint.method,
    url: endpoint.path.replace(/\{\w+\}/g, value),
    headers: {
      authorization: `Bearer ${await issueToken(ctx, wallet)}`,
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
  const characters = [...refused, '\ud800', '\udfff']
  for (const [name, pointer, endpoint] of cases) {
    const answers = await Promise.all(
      characters.map((character) =>
        send(endpoint, bodyWith(endpoint.body as Schema, pointer, character), operator),
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

test('messages keep tabs and line ends, and what else people write', async () => {
  const [fromaddr, toaddr] = [newWallet(), newWallet()]
  const client = await service.as(fromaddr)
  const message = '\ttab\r\nline\nأهلا \u200f👩‍👩‍👧 \x7f'
  const fields = { encrypted_sym_x_key: message, x_access_conditions: message }
  await client.sendDirectMessage({ body: { fromaddr, toaddr, message, ...fields } })
  expect(await client.listConversation({ fromaddr, toaddr })).toMatchObject([{ message, ...fields }])
})
