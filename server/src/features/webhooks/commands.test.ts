// These tests cover commands of bots: from the words that are registered to the answer in the chat.

import { expect, test } from 'vitest'
import { followAll } from '../../../../testing/service/log.ts'
import { toldBy } from '../../../../testing/outside/webhook-receiver.ts'
import { useWebhookSite } from '../../../../testing/outside/webhook-receiver.ts'
import type { Webhook } from '@parley/sdk'
import { enqueueAnswer } from './answer.ts'
import { webhookReader } from './reader.ts'

const site = useWebhookSite()
type Person = Awaited<ReturnType<typeof site.newPerson>>

let towns = 0
/** Makes Alice, who owns a community, and a bot that has joined it and answers to /weather. */
async function newTown(events: Webhook['events'] = ['command']) {
  const [alice, bot] = [await site.newPerson(), await site.newPerson()]
  const nftaddr = `Commands${process.pid}n${++towns}`
  await alice.client.createCommunity({ body: { community: nftaddr, social: [] } })
  for (const one of [alice, bot]) await join(one, nftaddr)
  await bot.client.becomeBot()
  const commands = [{ word: 'weather', description: 'The weather of a place' }]
  await bot.client.setCommands({ nftaddr, body: { commands } })
  const [hook] = await bot.client.createWebhook({ body: { url: `http://${site.receiver.host}/x`, events } })
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
  await followAll(site.service.ctx.db, webhookReader(site.service.ctx))
  for (let n = 0; n < 2; n++) {
    await site.service.ctx.db.query(
      `update graphile_worker._private_jobs set run_at = now() where run_at > now()`,
    )
    await site.service.runJobs()
  }
}
const told = () => toldBy(site.receiver.received)
const answer = (text: unknown, type = 'application/json') =>
  site.receiver.answerBy(
    () => (response) => void response.writeHead(200, { 'content-type': type }).end(JSON.stringify({ text })),
  )

test('a bot replaces its words in a chat that it has joined, and all who read it list them', async () => {
  const { alice, bot, nftaddr } = await newTown()
  const other = await site.newPerson()
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
  const bots = await Promise.all(Array.from({ length: 10 }, site.newPerson))
  for (const one of bots) {
    await join(one, nftaddr)
    await one.client.becomeBot()
  }
  const [last] = bots.splice(9)
  for (const { client } of bots) await client.setCommands({ nftaddr, body: { commands: many } })
  const tryLast = () => last!.client.setCommands({ nftaddr, body: { commands: many } })
  await expect(tryLast()).rejects.toMatchObject({ code: 'limit_reached' })
  await alice.client.restrictMember({
    nftaddr,
    walletaddr: bots[0]!.address,
    body: { banned_until: 'forever' },
  })
  expect(await tryLast()).toHaveLength(200)
})

test('words that no bot has used for 30 days make room in a full chat, and no others', async () => {
  const { alice, bot, nftaddr } = await newTown()
  await post(alice, nftaddr, 'gm')
  const many = Array.from({ length: 20 }, (_, n) => ({ word: `w${n}`, description: '' }))
  const bots = [bot, ...(await Promise.all(Array.from({ length: 10 }, site.newPerson)))]
  for (const one of bots.slice(1)) {
    await join(one, nftaddr)
    await one.client.becomeBot()
  }
  const [last] = bots.splice(10)
  const set = ({ client }: Person) => client.setCommands({ nftaddr, body: { commands: many } })
  for (const one of bots) await set(one)
  await site.service.ctx.db.query(
    'update chat_commands set ms = ms - 31 * 86400000::bigint where chat = $1',
    [nftaddr.toLowerCase()],
  )
  // All except two read the chat, or set their words again.
  await set(bots[1]!)
  for (const { address, client } of bots.slice(3))
    await client.listGroupMessages({ address: nftaddr, useraddress: address })
  await set(last!)
  const owners = new Set((await bot.client.listCommands({ nftaddr })).map(({ walletaddr }) => walletaddr))
  expect(owners).toEqual(new Set([last!, bots[1]!, ...bots.slice(3)].map(({ address }) => address)))
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
  await followAll(site.service.ctx.db, webhookReader(site.service.ctx))
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
  const other = await site.newPerson()
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
  // This is the state when it was killed between the post and the note of it.
  await site.service.ctx.db.query(
    `update webhook_deliveries set answer = 'Sunny.', answered = 'waiting' where hook = $1`,
    [hook.id],
  )
  await enqueueAnswer(site.service.ctx.db, bot.address, hook.id, id)
  await work()
  expect(site.receiver.received).toHaveLength(2)
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
        site.receiver.answerBy(
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

test('an answer is refused as a post of the bot would be: with invisible characters, while it is muted there or by an operator; it is held where a word waits', async () => {
  const refusals: [string, (of: Awaited<ReturnType<typeof newTown>>) => Promise<unknown>][] = [
    ['invisible characters', async () => answer('Sunny.\u{e0041}')],
    [
      'muted',
      ({ alice, bot, nftaddr }) =>
        alice.client.restrictMember({ nftaddr, walletaddr: bot.address, body: { muted_until: 'forever' } }),
    ],
    [
      'muted by an operator',
      async ({ bot }) => {
        await site.service.ctx.db.query(
          `insert into sanctions (subject, kind, ms, reason) values ($1, 'mute', $2, '')`,
          [bot.address, site.service.ctx.db.now()],
        )
        await site.service.ctx.standing.refresh()
      },
    ],
  ]
  for (const [name, refuse] of refusals) {
    const town = await newTown()
    answer('Sunny.')
    await refuse(town)
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
