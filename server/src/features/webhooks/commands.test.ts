// Commands of bots: from the words that are registered to the answer in the chat.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { followAll } from '../../../../testing/follow-all.ts'
import { startReceiver, toldBy } from '../../../../testing/webhook-receiver.ts'
import { newWallet, type Service, startService } from '../../../../testing/service.ts'
import type { Webhook } from '@parley/sdk'
import { enqueueAnswer } from './answer.ts'
import { webhookReader } from './reader.ts'

let receiver: Awaited<ReturnType<typeof startReceiver>>
let service: Service
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({ privateWebhookHosts: [receiver.host] })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
})
beforeEach(() => {
  receiver.received.length = 0
  receiver.answerBy(() => 200)
})

async function newPerson() {
  const address = newWallet()
  return { address, client: await service.as(address) }
}
type Person = Awaited<ReturnType<typeof newPerson>>

let towns = 0
/** Alice, who owns a community, and a bot that has joined it and answers to /weather. */
async function newTown(events: Webhook['events'] = ['command']) {
  const [alice, bot] = [await newPerson(), await newPerson()]
  const nftaddr = `Commands${process.pid}n${++towns}`
  await alice.client.createCommunity({ body: { community: nftaddr, social: [] } })
  for (const one of [alice, bot]) await join(one, nftaddr)
  await bot.client.becomeBot()
  const commands = [{ word: 'weather', description: 'The weather of a place' }]
  await bot.client.setCommands({ nftaddr, body: { commands } })
  const [hook] = await bot.client.createWebhook({ body: { url: `http://${receiver.host}/x`, events } })
  return { alice, bot, nftaddr, hook: hook! }
}

const join = ({ address, client }: Person, nftaddr: string) =>
  client.joinChat({ body: { walletaddr: address, nftaddr } })

const post = async ({ address, client }: Person, nftaddr: string, message: string) =>
  (await client.postGroupMessage({ body: { fromaddr: address, nftaddr, message } }))[0]!

const textsIn = async ({ address, client }: Person, nftaddr: string) =>
  (await client.listGroupMessages({ address: nftaddr, useraddress: address })).map(
    ({ fromaddr, message }) => [fromaddr, message],
  )

async function work() {
  await followAll(service.ctx.db, webhookReader(service.ctx))
  for (let n = 0; n < 2; n++) {
    await service.ctx.db.query(`update graphile_worker._private_jobs set run_at = now() where run_at > now()`)
    await service.runJobs()
  }
}
const told = () => toldBy(receiver.received)
const answer = (text: unknown, type = 'application/json') =>
  receiver.answerBy(
    () => (response) => void response.writeHead(200, { 'content-type': type }).end(JSON.stringify({ text })),
  )

test('a bot replaces its words in a chat that it has joined, and all who read it list them', async () => {
  const { alice, bot, nftaddr } = await newTown()
  const other = await newPerson()
  const set = (who: Person, words: string[]) =>
    who.client.setCommands({
      nftaddr,
      body: { commands: words.map((word) => ({ word, description: `what ${word} does` })) },
    })
  const refused = (why: string) => ({ code: 'forbidden', message: expect.stringContaining(why) })
  await expect(set(other, ['help'])).rejects.toMatchObject(refused('Only bots'))
  await other.client.becomeBot()
  await expect(set(other, ['help'])).rejects.toMatchObject(refused('Join the chat'))
  await join(other, nftaddr)
  await set(other, ['help', 'about'])
  expect(await set(bot, ['news'])).toMatchObject([
    { word: 'about', walletaddr: other.address },
    { word: 'help', walletaddr: other.address },
    { word: 'news', walletaddr: bot.address, description: 'what news does', name: '' },
  ])
  const listed = async () => (await alice.client.listCommands({ nftaddr })).map(({ word }) => word)
  expect(await listed()).toEqual(['about', 'help', 'news'])
  await alice.client.restrictMember({
    nftaddr,
    walletaddr: other.address,
    body: { banned_until: 'forever' },
  })
  expect(await listed()).toEqual(['news'])
  await bot.client.leaveChat({ body: { walletaddr: bot.address, nftaddr } })
  expect(await listed()).toEqual([])
  await join(bot, nftaddr)
  await set(bot, [])
  expect(await listed()).toEqual([])
  for (const words of [['two words'], ['Upper'], ['a', 'a'], Array.from({ length: 21 }, (_, n) => `w${n}`)])
    await expect(set(bot, words), words.join()).rejects.toMatchObject({ code: 'bad_request' })
})

test('the bots of a chat have 200 words together; who is banned or has left makes room', async () => {
  const { alice, bot, nftaddr } = await newTown()
  const many = Array.from({ length: 20 }, (_, n) => ({ word: `w${n}`, description: '' }))
  await bot.client.setCommands({ nftaddr, body: { commands: many } })
  const bots = await Promise.all(Array.from({ length: 10 }, newPerson))
  for (const one of bots) {
    await join(one, nftaddr)
    await one.client.becomeBot()
  }
  const [last] = bots.splice(9)
  for (const { client } of bots) await client.setCommands({ nftaddr, body: { commands: many } })
  const tryLast = () => last!.client.setCommands({ nftaddr, body: { commands: many } })
  await expect(tryLast()).rejects.toMatchObject({ code: 'conflict' })
  await alice.client.restrictMember({
    nftaddr,
    walletaddr: bots[0]!.address,
    body: { banned_until: 'forever' },
  })
  expect(await tryLast()).toHaveLength(200)
})

test('a post with the word of a bot is told to it with the text after it, and nothing else is', async () => {
  const { alice, bot, nftaddr } = await newTown(['command', 'message.group'])
  const fromaddr = alice.address
  const long = 'é'.repeat(4000)
  const sent = [
    await post(alice, nftaddr, '/weather Berlin\ntomorrow'),
    await post(alice, nftaddr, '/weather'),
    await post(alice, nftaddr, '/weathers Berlin'),
    await post(alice, nftaddr, 'the /weather'),
    await post(alice, nftaddr, `/weather ${long}`),
  ]
  await post(bot, nftaddr, '/weather in myself')
  const gone = await post(alice, nftaddr, '/weather gone')
  await followAll(service.ctx.db, webhookReader(service.ctx))
  await alice.client.removePost({ nftaddr, id: gone.id })
  await work()
  const ids = sent.map(({ id }) => id)
  const command = (n: number, text: string) => ({
    type: 'command',
    data: { id: ids[n], fromaddr, nftaddr, word: 'weather', text },
  })
  const message = (n: number) => ({ type: 'message.group', data: { id: ids[n], fromaddr, nftaddr } })
  expect(told()).toEqual([
    command(0, 'Berlin\ntomorrow'),
    command(1, ''),
    message(2),
    message(3),
    command(4, 'é'.repeat(2048)),
  ])
})

test('posts of a bot that has commands in the chat are no commands, so bots do not answer each other', async () => {
  const { alice, nftaddr } = await newTown(['command', 'message.group'])
  const other = await newPerson()
  await join(other, nftaddr)
  await other.client.becomeBot()
  await other.client.setCommands({ nftaddr, body: { commands: [{ word: 'time', description: '' }] } })
  await post(other, nftaddr, '/weather Berlin')
  await post(alice, nftaddr, '/time')
  await work()
  expect(told().map(({ type }) => type)).toEqual(['message.group', 'message.group'])
})

test('what is answered is posted as the bot, once, however often the delivery is told or its job is done', async () => {
  const { alice, bot, nftaddr, hook } = await newTown()
  answer('Sunny.')
  const { id } = await post(alice, nftaddr, '/weather Berlin')
  await work()
  const all = [
    [alice.address, '/weather Berlin'],
    [bot.address, 'Sunny.'],
  ]
  expect(await textsIn(alice, nftaddr)).toEqual(all)
  const [delivery] = await bot.client.listDeliveries({ session: hook.id })
  expect(delivery).toMatchObject({ id, event: 'command', status: 200, answered: 'posted' })
  answer('Rainy.')
  await bot.client.replayDelivery({ session: hook.id, id })
  await work()
  // As if it was killed between the post and the note of it.
  await service.ctx.db.query(
    `update webhook_deliveries set answer = 'Sunny.', answered = 'waiting' where hook = $1`,
    [hook.id],
  )
  await enqueueAnswer(service.ctx.db, bot.address, hook.id, id)
  await work()
  expect(receiver.received).toHaveLength(2)
  expect(await textsIn(alice, nftaddr)).toEqual(all)
  expect((await bot.client.listDeliveries({ session: hook.id }))[0]).toMatchObject({ answered: 'posted' })
})

test('an answer after three seconds, or one that is no message, is a success without a post', async () => {
  const { alice, bot, nftaddr, hook } = await newTown()
  const answers: [string, () => void][] = [
    ['text/plain', () => answer('gm', 'text/plain')],
    ['no text', () => answer(42)],
    ['empty', () => answer('')],
    ['a control character', () => answer('\u0007')],
    ['too long', () => answer('x'.repeat(64 * 1024))],
    [
      'late',
      () =>
        receiver.answerBy(
          () => (response) =>
            void setTimeout(
              () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"gm"}'),
              3_100,
            ),
        ),
    ],
  ]
  for (const [name, take] of answers) {
    take()
    await post(alice, nftaddr, '/weather')
    await work()
    const [delivery] = await bot.client.listDeliveries({ session: hook.id })
    expect(delivery, name).toMatchObject({ status: 200, is_done: true })
    expect(delivery, name).not.toHaveProperty('answered')
  }
  expect((await textsIn(alice, nftaddr)).filter(([from]) => from === bot.address)).toEqual([])
})

test('an answer is refused as a post of the bot would be: while it is muted there or by an operator, and held where a word waits', async () => {
  const refusals: [string, (of: Awaited<ReturnType<typeof newTown>>) => Promise<unknown>][] = [
    [
      'muted',
      ({ alice, bot, nftaddr }) =>
        alice.client.restrictMember({ nftaddr, walletaddr: bot.address, body: { muted_until: 'forever' } }),
    ],
    [
      'muted by an operator',
      async ({ bot }) => {
        await service.ctx.db.query(
          `insert into sanctions (subject, kind, ms, reason) values ($1, 'mute', $2, '')`,
          [bot.address, service.ctx.db.now()],
        )
        await service.ctx.standing.refresh()
      },
    ],
  ]
  for (const [name, refuse] of refusals) {
    const town = await newTown()
    await refuse(town)
    answer('Sunny.')
    await post(town.alice, town.nftaddr, '/weather')
    await work()
    const [delivery] = await town.bot.client.listDeliveries({ session: town.hook.id })
    expect(delivery, name).toMatchObject({ status: 200, answered: 'refused' })
    expect(await textsIn(town.alice, town.nftaddr), name).toHaveLength(1)
  }
  const { alice, nftaddr } = await newTown()
  await alice.client.setChatRules({ nftaddr, body: { words: ['sunny'] } })
  await post(alice, nftaddr, '/weather')
  await work()
  expect(await textsIn(alice, nftaddr)).toHaveLength(1)
  expect(await alice.client.listHeldPosts({ nftaddr })).toMatchObject([{ message: 'Sunny.' }])
})
