// The MCP server as a client of models starts it: the program itself over stdio, on a real service.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { hasUnseen, withoutUnseen } from '@parley/sdk/unseen'
import { expect, test } from 'vitest'
import { newWallet, useService } from '../../testing/service/service.ts'
import { controls, corpus } from './corpus.ts'
import { itemsOf, main, type Newcomer, reading, talkingTo, unassigned } from './talking.ts'

const service = useService()

const { newcomer, startMcp } = talkingTo(() => service)

test('it has seven tools, and shows accepted conversations and joined chats with who wrote, and leaves them unread', async () => {
  const [user, friend] = [await newcomer(), await newcomer()]
  await user.accept(friend.address)
  await friend.client.setName({ body: { name: `Ann-${friend.address.slice(2, 10)}` } })
  const chat = newWallet()
  for (const one of [user, friend]) await one.join(chat)
  await friend.write(user.address, 'gm')
  await friend.write(user.address, 'c2VjcmV0', { encrypted_sym_x_key: 'k', x_access_conditions: 'c' })
  await friend.post(chat, 'hello all')
  await using mcp = await startMcp(user.address, reading)
  const { tools } = await mcp.client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['inbox', 'read', 'search', 'draft', 'send', 'edit', 'react'])

  const inbox = itemsOf((await mcp.call('inbox')).text)
  expect(inbox).toMatchObject([
    { chat, unread: 1, last: { from: friend.address, text: 'hello all' } },
    { peer: friend.address, unread: 2, last: { from: friend.address, encrypted: true } },
  ])
  const [facts, ...messages] = itemsOf(
    (await mcp.call('read', { peer: friend.address.toUpperCase().replace('X', 'x') })).text,
  )
  expect(facts).toMatchObject({ sender: friend.address, facts: { chats_in_common: 1 } })
  expect(messages).toMatchObject([
    { from: friend.address, name: `Ann-${friend.address.slice(2, 10)}`, text: 'gm' },
    { from: friend.address, encrypted: true },
  ])
  expect(messages[1]).not.toHaveProperty('text')
  expect(JSON.stringify([inbox, messages])).not.toContain('c2VjcmV0')
  expect(itemsOf((await mcp.call('read', { chat, newest: 1 })).text)[1]).toMatchObject({ text: 'hello all' })
  expect(await user.client.countUnread({ address: user.address })).toBe(3)
  expect(mcp.printed()).toBe('')
})

test('requests reach the model in no tool, whatever address it gives', async () => {
  const [user, friend, ...strangers] = await Promise.all(Array.from({ length: 5 }, newcomer))
  const [unknown, ignored, blocked] = strangers.map(({ address }) => address)
  await user!.accept(friend!.address)
  for (const one of strangers) {
    await one.client.setName({ body: { name: `Eve-${one.address.slice(2, 10)}` } })
    await one.write(user!.address, `secret of ${one.address}`)
  }
  await user!.client.setContact({ peer: ignored!, body: { state: 'ignored' } })
  await user!.client.setContact({ peer: blocked!, body: { state: 'blocked' } })
  await friend!.write(user!.address, 'gm')
  await using mcp = await startMcp(user!.address, [...reading, 'dm:send'])
  const calls = [
    await mcp.call('inbox', { newest: 50 }),
    ...(await Promise.all(
      [unknown, ignored, blocked, newWallet()].flatMap((peer) => [
        mcp.call('read', { peer }),
        mcp.call('read', { peer: peer!.toUpperCase().replace('X', 'x') }),
        mcp.call('read', { chat: peer }),
      ]),
    )),
  ]
  for (const { text } of calls) expect(text).not.toMatch(/secret of|Eve-|unread":[2-9]/)
  expect(itemsOf(calls[0]!.text)).toHaveLength(1)
  const refusals = calls.slice(1)
  expect(refusals.every(({ isError }) => isError)).toBe(true)
  // The answers for a request, for one that is ignored or blocked and for nothing at all are the same.
  expect(new Set(refusals.map(({ text }) => text)).size).toBe(2)
  // A chat that is not joined is shown neither.
  const chat = newWallet()
  await friend!.post(chat, 'secret of the chat')
  expect(await mcp.call('read', { chat })).toMatchObject({ isError: true })
})

test('what others write stays in its quotation, without what nobody sees, and does nothing', async () => {
  const [user, friend] = [await newcomer(), await newcomer()]
  await user.accept(friend.address)
  const chat = newWallet()
  await user.join(chat)
  await using mcp = await startMcp(user.address, reading)
  expect(corpus.length).toBeGreaterThanOrEqual(20)
  for (const message of corpus) {
    await friend.write(user.address, message)
    await friend.post(chat, message)
  }
  await friend.write(user.address, `your key is ${mcp.key}`)
  const visible = corpus.map((message) => withoutUnseen(message.replace(unassigned, '')))
  for (const input of [{ peer: friend.address }, { chat }]) {
    const { text } = await mcp.call('read', { ...input, newest: 50 })
    const items = itemsOf(text).slice(1)
    const texts = items.map((item) => String(item.text)).filter((one) => !one.startsWith('your key'))
    expect(texts).toHaveLength(corpus.length)
    for (const [n, one] of texts.entries())
      expect(visible[n]!.startsWith(one.replace(/ \[cut, \d+ characters in all\]$/, '')), one).toBe(true)
  }
  itemsOf((await mcp.call('inbox')).text)
  expect(await user.sent()).toEqual([])
  expect(await user.client.listDrafts()).toEqual([])
  expect(await user.client.countUnread({ address: user.address })).toBe(2 * corpus.length + 1)
})

test('a model reads names and texts as people see them, with the joiners of emoji and scripts', async () => {
  const [user, friend] = [await newcomer(), await newcomer()]
  const name = `Fam 👨‍👩‍👧 ${friend.address.slice(2, 10)}`
  await friend.client.setName({ body: { name } })
  await user.accept(friend.address)
  const texts = ['می‌خواهم', '🚴‍♂️.eth', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️']
  for (const text of texts) await friend.write(user.address, text)
  await using mcp = await startMcp(user.address, reading)
  const items = itemsOf((await mcp.call('read', { peer: friend.address })).text).slice(1)
  expect(items).toMatchObject(texts.map((text) => ({ name, text })))
})

test('a model that obeys does no more than the key allows: what it is told to send is a draft', async () => {
  const [user, friend] = [await newcomer(), await newcomer()]
  await user.accept(friend.address)
  const chat = newWallet()
  await user.join(chat)
  await friend.write(user.address, 'gm')
  // Scopes for all wallets and all chats say nothing of this one.
  await using mcp = await startMcp(user.address, [
    ...reading,
    'dm:send',
    'dm:begin',
    'chat:post',
    `dm:send:${newWallet()}`,
  ])
  const visible = corpus.filter((text) => !hasUnseen(text))
  expect(visible.length).toBeLessThan(corpus.length - 4)
  for (const text of corpus)
    for (const name of ['send', ...(visible.includes(text) ? [] : ['draft'])]) {
      const answer = await mcp.call(name, { peer: friend.address, text })
      if (visible.includes(text)) expect(answer.text).toContain('It is not sent')
      else
        expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('invisible character') })
    }
  expect((await mcp.call('send', { chat, text: 'x' })).text).toContain('It is not sent')
  expect((await mcp.call('send', { peer: newWallet(), text: 'x' })).text).toContain('It is not sent')
  expect((await mcp.call('draft', { peer: friend.address, text: 'a draft' })).text).toContain(
    'It is not sent',
  )
  const drafts = await user.client.listDrafts()
  expect(drafts.map(({ message }) => message)).toEqual([...visible, 'x', 'x', 'a draft'])
  expect(drafts[0]).toMatchObject({ toaddr: friend.address, label: 'a key of a test' })

  for (const wrong of [
    { text: 'x' },
    { peer: friend.address, chat, text: 'x' },
    { peer: '../../v1/account', text: 'x' },
    { peer: `${friend.address}?x=1`, text: 'x' },
    { peer: [friend.address], text: 'x' },
    { peer: friend.address, text: '' },
    { peer: friend.address },
    { chat: '..', text: controls },
    { chat: 'two words', text: 'x' },
  ])
    for (const name of ['send', 'draft'])
      expect(
        await mcp.call(name, wrong).catch(() => ({ isError: true })),
        JSON.stringify(wrong),
      ).toMatchObject({
        isError: true,
      })
  expect(await mcp.call('erase').catch(() => ({ isError: true }))).toMatchObject({ isError: true })
  expect(await user.client.listDrafts()).toHaveLength(drafts.length)
  expect(await user.sent()).toEqual([])
  expect(mcp.printed()).not.toContain(mcp.key)
})

test('it sends where the key is for exactly this wallet or chat, and drafts where the conversation is encrypted', async () => {
  const [user, friend, other, sealed] = await Promise.all(Array.from({ length: 4 }, newcomer))
  const chat = newWallet()
  await user!.join(chat)
  for (const one of [friend, other, sealed]) await one!.write(user!.address, 'gm')
  await sealed!.write(user!.address, 'x', { encrypted_sym_x_key: 'k', x_access_conditions: 'c' })
  await using mcp = await startMcp(user!.address, [
    ...reading,
    `dm:send:${friend!.address}`,
    `dm:send:${sealed!.address}`,
    `chat:${chat}:post`,
  ])
  expect((await mcp.call('send', { peer: friend!.address, text: 'one' })).text).toMatch(/^Sent/)
  expect((await mcp.call('send', { chat, text: 'two' })).text).toMatch(/^Posted/)
  expect((await mcp.call('send', { peer: other!.address, text: 'three' })).text).toContain('It is not sent')
  expect((await mcp.call('send', { peer: sealed!.address, text: 'four' })).text).toContain('is encrypted')
  expect((await mcp.call('send', { chat: newWallet(), text: 'five' })).text).toContain('It is not sent')
  expect(await user!.sent()).toEqual(['one'])
  expect((await user!.client.listDrafts()).map(({ message }) => message)).toEqual(['three', 'four', 'five'])
})

test('it sends nothing in clear where an encrypted message was seen or both have a key, however many came in clear since', async () => {
  const [user, seen, keyed, off] = await Promise.all(Array.from({ length: 4 }, newcomer))
  const publish = ({ address, client }: Newcomer, public_key = 'x25519:ZGVhZGJlZWY') =>
    client.publishKey({ address, body: { address, public_key, signature: 's', backup: 'b', replaces: '' } })
  for (const one of [user!, keyed!]) await publish(one)
  await publish(off!, '')
  for (const one of [seen, keyed, off]) await one!.write(user!.address, 'gm')
  await user!.accept(seen!.address)
  const { id } = await seen!.write(user!.address, 'x', { encrypted_sym_x_key: 'k', x_access_conditions: 'c' })
  await using mcp = await startMcp(user!.address, [
    ...reading,
    ...[seen, keyed, off].map((one) => `dm:send:${one!.address}`),
  ])
  await mcp.call('read', { peer: seen!.address })
  await seen!.client.deleteDirectMessage({ id })
  expect((await mcp.call('send', { peer: seen!.address, text: 'one' })).text).toContain('is encrypted')
  expect((await mcp.call('send', { peer: keyed!.address, text: 'two' })).text).toContain('is encrypted')
  expect((await mcp.call('send', { peer: off!.address, text: 'three' })).text).toMatch(/^Sent/)
  expect(await user!.sent()).toEqual(['three'])
})

test('a result has a bound in all, says what is left out, and the rest is there to ask for', async () => {
  const [user, friend] = [await newcomer(), await newcomer()]
  await user.accept(friend.address)
  const texts = Array.from({ length: 30 }, (_, n) => `${n} `.padEnd(7_999, n % 2 ? '<' : 'a'))
  for (const text of texts) await friend.write(user.address, text)
  await using mcp = await startMcp(user.address, reading)
  const read: string[] = []
  let before: number | undefined
  for (let calls = 0; read.length < texts.length && calls < 30; calls++) {
    const { text } = await mcp.call('read', { peer: friend.address, newest: 50, ...(before && { before }) })
    expect(text.length).toBeLessThanOrEqual(80_000)
    read.unshift(
      ...itemsOf(text)
        .slice(1)
        .map((item) => String(item.text)),
    )
    const next = /oldest of these (\d+) are left out.* before: (\d+)\./.exec(text.split('\n')[0]!)
    before = next ? Number(next[2]) : undefined
    if (!next) break
  }
  expect(read).toEqual(texts)
})

test('a key that may not is refused with the reason, and a service that is away with none of the key', async () => {
  const user = await newcomer()
  await using reader = await startMcp(user.address, ['inbox:read'])
  const refused = await reader.call('draft', { peer: newWallet(), text: 'x' })
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('draft:write') })
  itemsOf(refused.text)
  await using lost = await startMcp(user.address, [], { PARLEY_URL: 'http://127.0.0.1:9' })
  expect(await lost.call('inbox')).toEqual({ isError: true, text: 'The service cannot be reached.' })
  expect(lost.printed()).not.toContain(lost.key)
})

test.each([
  [{ PARLEY_URL: '' }, 'PARLEY_URL is missing'],
  [{ PARLEY_URL: 'ftp://x' }, 'PARLEY_URL must be'],
  [{ PARLEY_URL: 'https://me:secret@chat.example.org' }, 'PARLEY_URL must be'],
  [{ PARLEY_API_KEY: '' }, 'PARLEY_API_KEY is missing'],
  [{ PARLEY_API_KEY: 'prl_recognisable' }, 'PARLEY_API_KEY must be'],
])('with %o it ends and says why', async (env, why) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main],
    env: { PARLEY_URL: 'http://127.0.0.1:9', PARLEY_API_KEY: `prl_${'a'.repeat(43)}`, ...env },
    stderr: 'pipe',
  })
  let printed = ''
  transport.stderr!.on('data', (data: Buffer) => (printed += data.toString()))
  await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toThrow()
  await expect.poll(() => printed).toContain(why)
  expect(printed).not.toMatch(/secret|recognisable|aaaa/)
})
