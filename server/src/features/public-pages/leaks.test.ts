// Nobody without a sign-in learns whether there is a chat that is not open to everybody. Every page and every public endpoint that
// takes a chat answers about chats that are closed, taken down or erased as about one that is not there.

import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { paramNames } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { expect, test, vi } from 'vitest'
import { newCommunity } from '../../../../testing/people/chat-members.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { newName, newWallet, startService, useService } from '../../../../testing/service/service.ts'

const service = useService({ publicPagesNotice: 0 })

/** These parameters of public endpoints may name a chat. */
const ofChat = new Set(['address', 'nftaddr', 'addr', 'community', 'contract'])
const others: Record<string, string> = { useraddress: newWallet(), nftid: '7', token: '7' }

/** The paths of all public endpoints that may be about a chat, with `{chat}` in its place. */
const publicPaths = Object.values<Endpoint>(contract)
  .filter(({ method, access, byHook }) => method === 'GET' && /public|anyone/.test(access) && !byHook)
  .filter(({ path }) => paramNames(path).some((name) => ofChat.has(name)))
  .map(({ path }) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (ofChat.has(name) ? '{chat}' : (others[name] ?? '7'))),
  )
const pages = ['', '/', '?feed=atom', '?feed=json', '?before=5', '/general', '/about', '?app'].map(
  (rest) => `/c/{chat}${rest}`,
)

/** A response has these for each request: its id, a nonce, a time. */
const ofRequest = /"request_id":"[^"]*"|[0-9a-f]{40,}|\d{4}-\d\d-\d\dT[\d:.]+Z/g

/** Statements of a request read these; others are of the service itself, which runs meanwhile. */
const ofChats = /\b(public_chats|group_chats|communities|names|comment_threads)\b/

/** Returns all that a visitor sees, with the name of the chat left out. */
async function seen(path: string, chat: string) {
  const query = vi.spyOn(service.ctx.db, 'query')
  const { statusCode, headers, body } = await service.app.inject({
    url: path.replaceAll('{chat}', chat),
    headers: { accept: 'text/html', authorization: '' },
  })
  const statements = query.mock.calls.map(([sql]) => sql).filter((sql) => ofChats.test(sql))
  query.mockRestore()
  const { date: _date, ...same } = headers
  const without = (text: string) => text.replaceAll(chat, '{chat}').replaceAll(ofRequest, '')
  return { statusCode, headers: JSON.parse(without(JSON.stringify(same))), body: without(body), statements }
}

test('a chat that is closed, taken down, gone or not there yet looks like none at every public path', async () => {
  const operator = newWallet()
  await addOperator(service, operator)
  const asOperator = await service.as(operator)
  const named = async (open: boolean) => {
    const name = newName('den')
    const [owner, member] = await newCommunity(service, name, 1)
    if (open) await owner.client.setPublicReading({ nftaddr: name, body: { is_open: true } })
    await member.post('a secret')
    return { name, owner }
  }
  const [closed, taken, shut, early, reclosed, orphan, unseen] = [
    await named(false),
    await named(true),
    await named(true),
    await named(true),
    await named(true),
    await named(false),
    await named(true),
  ]
  const act = (action: string, subject: string) =>
    asOperator.act({ body: { action: action as 'note', subject, reason: 'a test' } })
  await act('takedown_community', taken.name)
  await act('close_chat', shut.name)
  await reclosed.owner.client.setPublicReading({ nftaddr: reclosed.name, body: { is_open: false } })
  await closed.owner.client.createRoom({ community: closed.name, body: { room: 'general' } })
  await orphan.owner.client.eraseAccount({ address: orphan.owner.address })
  const change = (set: string, name: string) =>
    service.ctx.db.query(`update public_chats set ${set} where chat = $1`, [name])
  await change('from_ms = 9e15', early.name)
  await change('unseen = true', unseen.name)
  const none = newName('den')
  expect(publicPaths.length).toBeGreaterThan(3)
  for (const path of [...publicPaths, ...pages]) {
    const expected = await seen(path, none)
    for (const [what, { name }] of Object.entries({ closed, taken, shut, early, reclosed, orphan, unseen }))
      expect(await seen(path, name), `${path} of ${what}`).toEqual(expected)
  }
})

test('odd paths are a page of the client or a 4xx', async () => {
  const parts = [
    '%',
    '%zz',
    '%FF',
    '%00',
    '%2F',
    '%2e%2e',
    '..',
    'a%2Fb',
    '💧',
    '%E2%80%AE',
    'x'.repeat(5000),
    '0x',
    "'--",
    ' ',
  ]
  const queries = [
    '',
    '?before=-1',
    '?before=9999999999999999',
    '?before=1e5',
    '?feed=',
    '?feed=atom&feed=x',
    '?%',
    '?app=%FF',
  ]
  for (const path of [...parts, ...parts.map((part) => `a/${part}`), 'a/b/c', 'a//b', '/'])
    for (const query of queries) {
      const { statusCode } = await service.app.inject({ url: `/c/${path}${query}`.replaceAll(' ', '%20') })
      expect(statusCode, path + query).toBeLessThan(500)
    }
  for (const path of parts) {
    const { statusCode } = await service.app.inject(`/nft/${newWallet()}/${path.replaceAll(' ', '%20')}`)
    expect(statusCode, path).toBeLessThan(500)
  }
  expect((await service.app.inject({ method: 'POST', url: '/c/town' })).statusCode).toBe(404)
})

test('what a network address reads without a sign-in has a limit, and leaves the long reads of wallets alone', async () => {
  await using limited = await startService({
    rateLimits: true,
    publicReadLimit: { burst: 3, perSecond: 0.01 },
  })
  const wallet = newWallet()
  const client = await limited.as(wallet)
  for (let n = 0; n < 4; n++) {
    const { statusCode, headers } = await limited.app.inject('/c/nowhere')
    expect(statusCode).toBe(n < 3 ? 200 : 429)
    if (n === 3) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  }
  expect((await limited.app.inject('/c/nowhere?app')).statusCode).toBe(200)
  await expect(limited.anonymous.listComments({ nftaddr: wallet, nftid: '1' })).rejects.toMatchObject({
    status: 429,
  })
  expect(await client.listComments({ nftaddr: wallet, nftid: '1' })).toEqual([])
})
