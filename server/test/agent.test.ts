// What an agent is given, and what it does when something goes wrong (sdk/src/agent).

import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { agent, type AgentOptions, fileStore, type Handled, MaybeAnswered } from '@parley/sdk/agent'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newApiKeyOf } from '../../testing/people/secrets.ts'
import { newFolder } from '../../testing/service/files.ts'
import { newWallet, useService } from '../../testing/service/service.ts'

let baseUrl: string
let folder: Awaited<ReturnType<typeof newFolder>>
const service = useService()
beforeAll(async () => {
  baseUrl = await service.listen()
  folder = await newFolder('agents')
})
afterAll(async () => {
  await folder?.[Symbol.asyncDispose]()
})

async function newcomer() {
  const address = newWallet()
  const client = await service.as(address)
  return {
    address,
    client,
    write: async (toaddr: string, message: string, more = {}) =>
      (await client.sendDirectMessage({ body: { fromaddr: address, toaddr, message, ...more } }))[0]!,
    accept: (peer: string) => client.setContact({ peer, body: { state: 'accepted' } }),
  }
}

/** A wallet with an agent that keeps what it does in a file of its own. */
async function botOf(scopes = ['inbox:read', 'dm:send', 'chat:read', 'chat:post', 'public:read']) {
  const bot = await newcomer()
  const key = await newApiKeyOf(service, bot.address, scopes)
  const file = path.join(folder.path, `${bot.address}.json`)
  const errors: [unknown, number | undefined][] = []
  const given: [string, Handled][] = []
  const make = (more: Partial<AgentOptions> = {}) =>
    agent({
      baseUrl,
      key,
      store: fileStore(file),
      onError: (error, message) => errors.push([error, message?.id]),
      ...more,
    })
  return {
    ...bot,
    key,
    file,
    errors,
    given,
    texts: () => given.map(([kind, { text }]) => `${kind}: ${text}`),
    make,
    /** An agent that notes what it is given, once it listens. */
    start: async (more: Partial<AgentOptions> = {}) => {
      const ready = Promise.withResolvers<void>()
      const started = make({ onReady: ready.resolve, ...more })
      for (const kind of ['dm', 'mention', 'request'] as const)
        started.on(kind, (message) => void given.push([kind, message]))
      started.start()
      await ready.promise
      return started
    },
    answers: async () =>
      (await bot.client.listDirectMessages({ address: bot.address }))
        .filter(({ fromaddr }) => fromaddr === bot.address)
        .map(({ message }) => message),
  }
}
const settled = { timeout: 10_000 }

test('each message comes as what it is: dm, request or mention; own, ignored and further ones of strangers do not', async () => {
  const [bot, friend, stranger, ignored] = [
    await botOf(),
    await newcomer(),
    await newcomer(),
    await newcomer(),
  ]
  await bot.accept(friend.address)
  await bot.client.setContact({ peer: ignored.address, body: { state: 'ignored' } })
  await bot.client.setName({ body: { name: `bot-${bot.address.slice(2, 12)}` } })
  const chat = newWallet()
  await bot.client.joinChat({ body: { walletaddr: bot.address, nftaddr: chat } })
  await using _ = await bot.start()
  const post = (message: string, by = friend) =>
    by.client.postGroupMessage({ body: { fromaddr: by.address, nftaddr: chat, message } })

  await friend.write(bot.address, 'one')
  await friend.write(bot.address, 'sealed', { encrypted_sym_x_key: 'k', x_access_conditions: 'c' })
  await bot.write(friend.address, `I am @${bot.address}`)
  await stranger.write(bot.address, 'let me in')
  await stranger.write(bot.address, 'please')
  await ignored.write(bot.address, 'psst')
  await post('nobody in particular')
  await post(`hello @BOT-${bot.address.slice(2, 12)}!`)
  await post(`and @${bot.address}`)
  await post(`it is me, @${bot.address}`, bot)
  await expect.poll(() => bot.given.length, settled).toBe(5)
  await friend.write(bot.address, 'two')
  await expect.poll(() => bot.given.length, settled).toBe(6)
  expect(bot.texts().toSorted()).toEqual([
    'dm: one',
    'dm: two',
    'dm: undefined',
    `mention: and @${bot.address}`,
    `mention: hello @BOT-${bot.address.slice(2, 12)}!`,
    'request: let me in',
  ])
  const sealed = bot.given.find(([, { encrypted }]) => encrypted)![1]
  expect(sealed).not.toHaveProperty('text')
  expect(JSON.stringify(sealed)).not.toContain('sealed')
  expect(bot.given.find(([kind]) => kind === 'mention')![1].chat).toBe(chat)
  expect(bot.errors).toEqual([])
})

test('a request that is answered is accepted by it, and what the stranger wrote next comes as dm', async () => {
  const [bot, stranger] = [await botOf(), await newcomer()]
  const ready = Promise.withResolvers<void>()
  await using _ = bot
    .make({ onReady: ready.resolve })
    .on('request', ({ text, reply }) => reply(`request ${text}`))
    .on('dm', ({ text, reply }) => reply(`dm ${text}`))
    .start()
  await ready.promise
  await stranger.write(bot.address, 'one')
  await stranger.write(bot.address, 'two')
  await expect.poll(bot.answers, settled).toEqual(['request one', 'dm two'])
})

test('a message whose handler fails is tried again, then passed over, and the next one is answered', async () => {
  const [bot, friend] = [await botOf(), await newcomer()]
  await bot.accept(friend.address)
  const tries: string[] = []
  const ready = Promise.withResolvers<void>()
  await using _ = bot
    .make({ attempts: 2, onReady: ready.resolve })
    .on('dm', async ({ text, reply }) => {
      tries.push(text!)
      await reply(`got ${text}`)
      if (text === 'bad') throw new Error('cannot')
    })
    .start()
  await ready.promise
  const bad = await friend.write(bot.address, 'bad')
  await friend.write(bot.address, 'good')
  await expect.poll(bot.answers, settled).toEqual(['got bad', 'got good'])
  expect(tries).toEqual(['bad', 'bad', 'good'])
  expect(bot.errors).toEqual([[new Error('cannot'), bad.id]])
})

test('what came while it was off is given once when it is back, also when the stream has forgotten it', async () => {
  const [bot, friend] = [await botOf(), await newcomer()]
  await bot.accept(friend.address)
  const chat = newWallet()
  await bot.client.joinChat({ body: { walletaddr: bot.address, nftaddr: chat } })
  const post = (message: string) =>
    friend.client.postGroupMessage({ body: { fromaddr: friend.address, nftaddr: chat, message } })
  {
    await using _ = await bot.start()
    await friend.write(bot.address, 'live')
    await post(`@${bot.address} live`)
    await expect.poll(() => bot.given.length, settled).toBe(2)
  }
  for (let n = 0; n < 3; n++) await friend.write(bot.address, `off ${n}`)
  await post(`@${bot.address} off`)
  // Older events than this are deleted: whoever resumes from before is told to read again.
  await service.ctx.db.query('update events_forgotten set id = (select max(id) from group_messages)')
  await using _ = await bot.start()
  await friend.write(bot.address, 'back')
  await expect.poll(() => bot.given.length, settled).toBe(7)
  expect(bot.texts().toSorted()).toEqual(
    [
      'dm: live',
      'dm: off 0',
      'dm: off 1',
      'dm: off 2',
      'dm: back',
      `mention: @${bot.address} live`,
      `mention: @${bot.address} off`,
    ].toSorted(),
  )
  expect(bot.texts().filter((text) => text.startsWith('dm'))).toEqual(
    ['live', 'off 0', 'off 1', 'off 2', 'back'].map((text) => `dm: ${text}`),
  )
})

test('a message that was begun more than 23 hours ago is given again only where the wallet has not written since', async () => {
  const [bot, answered, open] = [await botOf(), await newcomer(), await newcomer()]
  for (const { address } of [answered, open]) await bot.accept(address)
  await (await bot.start())[Symbol.asyncDispose]()
  const ids = [await answered.write(bot.address, 'one'), await open.write(bot.address, 'two')].map(
    ({ id }) => id,
  )
  await bot.write(answered.address, 'maybe the answer')
  const state = JSON.parse(await readFile(bot.file, 'utf8'))
  const begun = Object.fromEntries(ids.map((id) => [id, { at: Date.now() - 24 * 3_600_000, kind: 'dm' }]))
  await writeFile(bot.file, JSON.stringify({ ...state, begun }))
  await using _ = await bot.start()
  await expect.poll(bot.texts, settled).toEqual(['dm: two'])
  await expect.poll(() => bot.errors, settled).toEqual([[expect.any(MaybeAnswered), ids[0]]])
})

test('it ends with the reason when its key is deleted, and refuses a token, and a file that is damaged or of another', async () => {
  const [bot, other] = [await botOf(), await botOf()]
  const ready = Promise.withResolvers<void>()
  const running = bot
    .make({ onReady: ready.resolve })
    .on('dm', () => undefined)
    .run()
  await ready.promise
  const [key] = await bot.client.listApiKeys()
  await bot.client.deleteApiKey({ api_key: key!.id })
  await expect(running).rejects.toMatchObject({ code: 'unauthorized' })

  await expect(other.make({ store: fileStore(bot.file) }).run()).rejects.toThrow('is of the wallet')
  await writeFile(other.file, '{"version":1,')
  await expect(other.make().run()).rejects.toThrow('damaged')
  await expect(other.make({ key: 'prl_x' }).run()).rejects.toMatchObject({ code: 'unauthorized' })
})

test('different conversations run at once, and one runs in order', async () => {
  const [bot, ...friends] = [await botOf(), await newcomer(), await newcomer()]
  for (const { address } of friends) await bot.accept(address)
  const first = Promise.withResolvers<void>()
  const seen: string[] = []
  const ready = Promise.withResolvers<void>()
  await using _ = bot
    .make({ onReady: ready.resolve })
    .on('dm', async ({ text }) => {
      if (text === 'a1') await first.promise
      seen.push(text!)
    })
    .start()
  await ready.promise
  for (const text of ['a1', 'a2']) await friends[0].write(bot.address, text)
  await friends[1].write(bot.address, 'b1')
  await expect.poll(() => seen, settled).toEqual(['b1'])
  first.resolve()
  await expect.poll(() => seen, settled).toEqual(['b1', 'a1', 'a2'])
})
