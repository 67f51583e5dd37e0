// What a number of a request may be written as, for every number of the contract: in a query, in a path, in a body.

import { type Endpoint, paramNames } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { params } from '@parley/sdk/contract/params.ts'
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleOf } from '../../testing/cases/longest-texts.ts'
import { newHookOf } from '../../testing/people/secrets.ts'
import { addOperator } from '../../testing/people/moderators.ts'
import { newWallet, useService } from '../../testing/service/service.ts'
import { botToken, startTelegram } from '../../testing/outside/telegram-api.ts'
import { issueToken } from '../src/auth/tokens.ts'

interface Schema {
  type?: string
  minimum?: number
  maximum?: number
  const?: unknown
  examples?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

const all = Object.entries<Endpoint>(contract)
/** Texts that some parser takes for a number. */
const odd = [
  '1e309',
  '-1e309',
  '1e3',
  '1E0',
  'Infinity',
  '-Infinity',
  'NaN',
  'null',
  'true',
  '0x10',
  '0b1',
  '0o7',
  '1n',
  '',
  ' ',
  ' 5',
  '5 ',
  '5\n',
  '+5',
  '-5',
  '5.0',
  '5.5',
  '.5',
  '5.',
  '1_000',
  '1,000',
  '--5',
  '-',
  '\ufeff5',
  '5\0',
  '٥',
  '５',
  '²',
  '9007199254740992',
  '9999999999999999',
  '99999999999999999999',
  '9'.repeat(400),
]

let operator: string
let telegram: Awaited<ReturnType<typeof startTelegram>>
beforeAll(async () => void (telegram = await startTelegram()))
afterAll(() => telegram?.[Symbol.asyncDispose]())
const service = useService(() => ({ telegramBotToken: botToken, telegramApiUrl: telegram.url }))
beforeAll(async () => {
  operator = newWallet()
  await addOperator(service, operator)
})

async function ask(endpoint: Endpoint, url: string, payload?: string) {
  const answer = await service.app.inject({
    method: endpoint.produces === 'text/event-stream' ? 'HEAD' : endpoint.method,
    url,
    headers: {
      authorization: `Bearer ${await issueToken(service.ctx, operator)}`,
      ...(payload !== undefined && { 'content-type': 'application/json' }),
    },
    ...(payload !== undefined && { payload }),
  })
  return { status: answer.statusCode, body: answer.body }
}

const examples: Record<string, string> = { id: '1', type: 'dm', time: '1', nftid: '7' }
const pathOf = ({ path }: Endpoint, change: Record<string, string> = {}) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(change[name] ?? examples[name] ?? operator),
  )

const isNumber = ({ type, anyOf = [] }: Schema): boolean =>
  type === 'integer' || type === 'number' || anyOf.some(isNumber)
const rangeOf = ({ minimum = NaN, maximum = NaN, anyOf = [] }: Schema): [number, number] =>
  Number.isNaN(minimum) && anyOf.length > 0 ? rangeOf(anyOf.find(isNumber)!) : [minimum, maximum]

const queryNumbers = all.flatMap(([name, endpoint]) =>
  Object.entries((endpoint.query?.properties ?? {}) as Record<string, Schema>)
    .filter(([, schema]) => isNumber(schema))
    .map(([field, schema]) => [name, endpoint, field, schema] as const),
)

/** JSON Pointers to the numbers that a body may have. */
const numbersOf = (schema: Schema, at = ''): [pointer: string, schema: Schema][] => [
  ...(isNumber(schema) ? [[at, schema] as [string, Schema]] : []),
  ...(schema.items ? numbersOf(schema.items, `${at}/0`) : []),
  ...(schema.anyOf ?? []).filter(({ properties }) => properties).flatMap((one) => numbersOf(one, at)),
  ...Object.entries(schema.properties ?? {}).flatMap(([field, one]) => numbersOf(one, `${at}/${field}`)),
]
const bodyNumbers = all.flatMap(([name, endpoint]) =>
  endpoint.body
    ? numbersOf(endpoint.body as Schema).map(
        ([pointer, schema]) => [name, endpoint, pointer, schema] as const,
      )
    : [],
)

const mark = '"the number"'
/** The example of a body as JSON, with a text in the place of one number. */
function bodyWith(schema: Schema, pointer: string, text: string): string {
  const body = exampleOf(schema) as Record<string, unknown>
  const path = pointer.slice(1).split('/')
  const last = path.pop()!
  let parent = body
  // Examples leave out what lies deeper.
  for (const [i, name] of path.entries())
    parent = (parent[name] ??= (path[i + 1] ?? last) === '0' ? [] : {}) as Record<string, unknown>
  parent[last] = JSON.parse(mark)
  return JSON.stringify(body).replace(mark, text)
}

test('every number of a request has both its bounds, between which a number keeps all its digits', () => {
  expect(queryNumbers.length).toBeGreaterThan(30)
  expect(bodyNumbers.length).toBeGreaterThan(3)
  for (const [name, , field, schema] of [...queryNumbers, ...bodyNumbers]) {
    const [minimum, maximum] = rangeOf(schema)
    expect([name, field, Number.isSafeInteger(minimum), Number.isSafeInteger(maximum)]).toEqual([
      name,
      field,
      true,
      true,
    ])
  }
})

test('a number of a query is written in decimal digits and nothing else; all else is a 400 that says what is right', async () => {
  for (const [name, endpoint, field, schema] of queryNumbers) {
    const [minimum, maximum] = rangeOf(schema)
    const about = `${pathOf(endpoint)}?${field}=`
    const refused = odd.filter((text) => !(text === '-5' && minimum < 0))
    for (const text of [...refused, `${maximum + 1}`, '5&' + field + '=5', '5&' + field + '=1e309']) {
      const value = text.includes('&') ? text : encodeURIComponent(text)
      const { status, body } = await ask(endpoint, about + value)
      expect([name, field, text, status]).toEqual([name, field, text, 400])
      if (body !== '')
        expect(JSON.parse(body).errors).toContainEqual({
          pointer: `/query/${field}`,
          detail: expect.stringContaining((schema as TSchema & { description: string }).description),
        })
    }
    for (const text of ['5', '007', `${maximum}`, ...(minimum > 0 ? [] : ['0'])]) {
      const { status, body } = await ask(endpoint, about + text)
      expect(status === 400 || status >= 500, `${name} ${field}=${text}: ${body}`).toBe(false)
    }
  }
})

test('a number or a time of a path is refused or has one meaning', async () => {
  const found = all.flatMap(([name, endpoint]) =>
    paramNames(endpoint.path)
      .filter((param) => ['id', 'time', 'nftid'].includes(param))
      .map((param) => [name, endpoint, param] as const),
  )
  expect(found.length).toBeGreaterThan(10)
  for (const [name, endpoint, param] of found)
    for (const text of odd) {
      if (text === '') continue
      const { status } = await ask(endpoint, pathOf(endpoint, { [param]: text }))
      expect(status, `${name} ${param}=${text}`).toBeLessThan(500)
      if (param === 'id') expect([name, text, status]).toEqual([name, text, 400])
    }
  // Of a parameter with another name: no text that looks like a number makes the service fail.
  for (const name of Object.keys(params))
    for (const [operation, endpoint] of all.filter(([, { path }]) => paramNames(path).includes(name)))
      for (const text of ['1e309', '-1', '9'.repeat(100)]) {
        const { status } = await ask(endpoint, pathOf(endpoint, { [name]: text }))
        expect(status, `${operation} ${name}=${text}`).toBeLessThan(500)
      }
})

test('a number of a body is finite and whole, and within its bounds', async () => {
  for (const [name, endpoint, pointer, schema] of bodyNumbers) {
    const [minimum, maximum] = rangeOf(schema)
    const texts = [
      '1e400',
      '-1e400',
      '1e309',
      '5.5',
      '9007199254740993',
      '1e300',
      `${maximum}0`,
      '"Infinity"',
      '""',
      '"5.0"',
      '[5]',
      '{}',
      'true',
    ]
    for (const text of texts) {
      const { status, body } = await ask(
        endpoint,
        pathOf(endpoint),
        bodyWith(endpoint.body as Schema, pointer, text),
      )
      expect([name, pointer, text, status, body]).toEqual([name, pointer, text, 400, body])
    }
    for (const text of ['-0', '5e0', '5.0', `${minimum}`, `${maximum}`]) {
      const { status, body } = await ask(
        endpoint,
        pathOf(endpoint),
        bodyWith(endpoint.body as Schema, pointer, text),
      )
      expect(status, `${name} ${pointer} ${text} ${body}`).toBeLessThan(500)
    }
  }
})

test('a body may begin with a byte order mark, and with nothing else before its JSON', async () => {
  const client = await service.as(operator)
  const message = '\ufeffgm'
  const text = JSON.stringify({ fromaddr: operator, toaddr: operator, message })
  const endpoint: Endpoint = contract.sendDirectMessage
  expect(await ask(endpoint, pathOf(endpoint), `\ufeff${text}`)).toMatchObject({ status: 200 })
  expect(await client.listConversation({ fromaddr: operator, toaddr: operator })).toMatchObject([{ message }])
  for (const before of ['\ufeff\ufeff', '\u200b', '\ufffe', '\u00ef\u00bb\u00bf'])
    expect(await ask(endpoint, pathOf(endpoint), before + text)).toMatchObject({ status: 400 })
  for (const [name, one] of all.filter(([, { body }]) => body)) {
    const url = one.byHook
      ? one.path.replace(/\{\w+\}/, await newHookOf(service, newWallet(), newWallet()))
      : pathOf(one)
    for (const payload of [
      '\ufeff{}',
      '\ufeff',
      '\ufeffnull',
      `\ufeff${JSON.stringify(exampleOf(one.body as Schema))}`,
    ])
      // 503 is what this service lacks, such as pushes.
      expect((await ask(one, url, payload)).status, `${name} ${payload}`).not.toBe(500)
  }
})
