// The `type` of a problem leads to the part of /docs/errors that says what it means: asked of a service that listens,
// with a request that fails in each way.

import net from 'node:net'
import { mostApiKeys } from '@parley/sdk/contract/api-keys.ts'
import { type ErrorCode, errorStatus } from '@parley/sdk/contract/errors.ts'
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { newApiKeyOf } from '../../testing/people/secrets.ts'
import { addOperator } from '../../testing/people/moderators.ts'
import { upload } from '../../testing/people/uploading.ts'
import {
  newName,
  newToken,
  newWallet,
  type Service,
  testSecret,
  useService,
} from '../../testing/service/service.ts'

const service = useService()
const strict = useService({
  rateLimits: true,
  readLimit: { burst: 1, perSecond: 0.01 },
  headersTimeout: 1,
  requestTimeout: 1,
})
const broken = useService({ disk: { isShort: true }, rpcUrls: { 1: 'http://127.0.0.1:9' } })

/** Nothing in the service answers with these now; clients know them. */
const unused: ErrorCode[] = ['gateway_timeout']

interface Answer {
  status: number
  problem: { type: string; status: number }
}

/** Calls a service as a wallet. */
async function callerOf(on: Service, wallet: string, given?: string) {
  const url = await on.listen()
  const authorization = `Bearer ${given ?? (await newToken(on.ctx, wallet))}`
  return async (method: string, path: string, body?: unknown, headers = {}): Promise<Answer> => {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, problem: answer.ok ? { type: '', status: 200 } : JSON.parse(text) }
  }
}
type Call = Awaited<ReturnType<typeof callerOf>>

/** Sends bytes that no client of HTTP would send, and reads to the end. */
async function sendBytes(on: Service, bytes: string): Promise<Answer> {
  const { hostname, port } = new URL(await on.listen())
  const socket = net.connect(Number(port), hostname)
  socket.write(bytes)
  let text = ''
  for await (const data of socket) text += String(data)
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), problem: JSON.parse(body) }
}

const to = (fromaddr: string, toaddr: string, message = 'gm') => ({ fromaddr, toaddr, message })
const path = '/v1/create_chatitem'

/** The last answer of calls in turn. */
async function lastOf(count: number, call: () => Promise<Answer>): Promise<Answer> {
  let answer = await call()
  for (let n = 1; n < count; n++) answer = await call()
  return answer
}

/** What a wallet does wrong by itself. */
const ofCaller = (call: Call, anonymous: Call, wallet: string) => ({
  bad_request: () => call('POST', path, { fromaddr: wallet }),
  unauthorized: () => anonymous('GET', `/v1/get_inbox/${wallet}`),
  forbidden: () => call('POST', path, to(newWallet(), wallet)),
  not_found: () => call('GET', '/v2/nothing'),
  method_not_allowed: () => call('DELETE', path),
  payload_too_large: () => call('POST', path, to(wallet, wallet, 'x'.repeat(300_000))),
  uri_too_long: () => call('GET', `/v1/get_inbox/${'a'.repeat(9_000)}`),
  unsupported_media_type: () => call('POST', path, '<gm/>', { 'content-type': 'application/xml' }),
  idempotency_mismatch: async () => {
    const headers = { 'idempotency-key': 'one-key' }
    await call('POST', path, to(wallet, wallet), headers)
    return call('POST', path, to(wallet, wallet, 'gn'), headers)
  },
})

/** What others have decided before. */
function ofOthers(call: Call, wallet: string) {
  const writeTo = async (who: 'contacts' | 'requests') => {
    const peer = newWallet()
    await (await service.as(peer)).setDmPolicy({ body: { who } })
    return lastOf(6, () => call('POST', path, to(wallet, peer)))
  }
  const operator = newWallet()
  return {
    not_accepting: () => writeTo('contacts'),
    not_asked: async () => {
      const bot = newWallet()
      await (await service.as(bot)).becomeBot()
      return (await callerOf(service, bot))('POST', path, to(bot, newWallet()))
    },
    request_pending: () => writeTo('requests'),
    conflict: async () => {
      const community = newName('Gardeners')
      await (await service.as(newWallet())).createCommunity({ body: { community } })
      return call('POST', '/v1/create_community', { community })
    },
    range_not_satisfiable: async () => {
      const client = await service.as(wallet)
      const { id } = await upload(client, { toaddr: newWallet() }, new Uint8Array(1))
      return call('GET', `/v1/files/${id}`, undefined, { range: 'bytes=1-' })
    },
    limit_reached: async () => {
      const most = Array.from({ length: mostApiKeys }, () => newApiKeyOf(service, wallet, []))
      await Promise.all(most)
      return call('POST', '/v1/api_keys', { label: 'one more', scopes: ['inbox:read'] })
    },
    sanctioned: async () => {
      await addOperator(service, operator)
      const subject = newWallet()
      const body = { action: 'mute', subject, reason: 'spam' } as const
      await (await service.as(operator)).act({ body })
      return (await callerOf(service, subject))('POST', path, to(subject, wallet))
    },
    old_sign_in: async () => {
      await addOperator(service, operator)
      const { publicUrl } = service.ctx.config
      const token = await new SignJWT({ jti: '1' })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(operator)
        .setIssuer(publicUrl)
        .setAudience(publicUrl)
        .setIssuedAt('-61m')
        .setExpirationTime('1h')
        .sign(Buffer.from(testSecret))
      const body = { action: 'warn', subject: newWallet(), reason: 'spam' }
      return (await callerOf(service, operator, token))('POST', '/v1/mod/actions', body)
    },
  }
}

/** What is wrong with the service, its limits or the network. */
const ofService = (wallet: string) => ({
  rate_limited: async () => {
    const call = await callerOf(strict, wallet)
    return lastOf(2, () => call('GET', `/v1/get_inbox/${wallet}`))
  },
  bad_gateway: async () => (await callerOf(broken, wallet))('GET', `/v1/is_owner/${newWallet()}/${wallet}`),
  unavailable: async () => (await callerOf(broken, wallet))('POST', path, to(wallet, wallet)),
  internal: async () => {
    await broken.ctx.db.query('alter table comments rename to comments_of_before')
    const answer = await (await callerOf(broken, wallet))('GET', '/v1/get_comments/a/1')
    await broken.ctx.db.query('alter table comments_of_before rename to comments')
    return answer
  },
  headers_too_large: () =>
    sendBytes(service, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`),
  // The first line alone.
  request_timeout: () => sendBytes(strict, 'GET / HTTP/1.1\r\n'),
})

test('every code that a service answers with leads to its part of /docs/errors', async () => {
  const wallet = newWallet()
  const call = await callerOf(service, wallet)
  const requests: Partial<Record<ErrorCode, () => Promise<Answer>>> = {
    ...ofCaller(call, await callerOf(service, wallet, 'none'), wallet),
    ...ofOthers(call, wallet),
    ...ofService(wallet),
  }
  const url = await service.listen()
  for (const [code, fail] of Object.entries(requests)) {
    const { status, problem } = await fail()
    expect({ status, type: problem.type, told: problem.status }, code).toEqual({
      status: errorStatus[code as ErrorCode],
      type: `/docs/errors#${code}`,
      told: status,
    })
    const target = new URL(problem.type, url)
    const page = await fetch(target, { headers: { accept: 'text/html' } })
    expect([page.status, page.url.split('#')[0]], code).toEqual([200, `${url}/docs/errors`])
    expect(await page.text()).toContain(`<h2 id="${target.hash.slice(1)}">`)
  }
  expect([...Object.keys(requests), ...unused].toSorted()).toEqual(Object.keys(errorStatus).toSorted())
})
