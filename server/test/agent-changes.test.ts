// Edits of what an agent has answered, and answers that grow (sdk/src/agent).

import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { agent, type Agent, type AgentOptions, type Edited, fileStore } from '@parley/sdk/agent'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newApiKeyOf } from '../../testing/people/secrets.ts'
import { newFolder } from '../../testing/service/files.ts'
import { newWallet, useService } from '../../testing/service/service.ts'

let baseUrl: string
let folder: Awaited<ReturnType<typeof newFolder>>
const service = useService({ rateLimits: true })
beforeAll(async () => {
  baseUrl = await service.listen()
  folder = await newFolder('agent-changes')
})
afterAll(async () => {
  await folder?.[Symbol.asyncDispose]()
})

const settled = { timeout: 10_000 }
const streaming = ['inbox:read', 'dm:send', 'message:edit']

/** A friend, and a bot that has accepted it. */
async function friends(scopes: string[], isBot = true) {
  const [bot, friend] = [newWallet(), newWallet()]
  const [asBot, asFriend] = [await service.as(bot), await service.as(friend)]
  if (isBot) await asBot.becomeBot()
  await asBot.setContact({ peer: friend, body: { state: 'accepted' } })
  const key = await newApiKeyOf(service, bot, scopes)
  const file = path.join(folder.path, `${bot}.json`)
  const errors: unknown[] = []
  const pair = { fromaddr: friend, toaddr: bot }
  return {
    bot,
    asBot,
    file,
    errors,
    write: async (message: string) =>
      (await asFriend.sendDirectMessage({ body: { ...pair, message } }))[0]!.id,
    edit: (id: number, message: string, revision = 0) =>
      asFriend.editMessage({ id, body: { message, revision } }),
    answers: async () => (await asFriend.listConversation(pair)).filter(({ fromaddr }) => fromaddr === bot),
    edits: (id: number) => asFriend.listEdits({ id }),
    /** An agent that listens. */
    start: async (prepare: (made: Agent) => Agent, more: Partial<AgentOptions> = {}) => {
      const ready = Promise.withResolvers<void>()
      const onError = (error: unknown) => void errors.push(error)
      const made = agent({ baseUrl, key, store: fileStore(file), onError, onReady: ready.resolve, ...more })
      prepare(made).start()
      await ready.promise
      return made
    },
  }
}

const textsOf = (items: { message: string }[]) => items.map(({ message }) => message)

async function* partsOf(parts: string[], wait = 0) {
  for (const part of parts) {
    yield part
    await sleep(wait)
  }
}

test('an edit of a message that is answered comes once, also after a restart, and no other edit comes', async () => {
  const t = await friends(['inbox:read', 'dm:send'])
  const edited: Edited[] = []
  const prepare = (made: Agent) =>
    made
      .on('dm', ({ text, reply }) => (text === 'no answer' ? undefined : reply(`to ${text}`)))
      .on('edited', async (message) => {
        edited.push(message)
        await message.reply(`now to ${message.text}`)
      })
  const seen = () => edited.map(({ id, text, revision }) => ({ id, text, revision }))
  const first: { one: number; open: number } = { one: 0, open: 0 }
  {
    await using _ = await t.start(prepare)
    first.one = await t.write('one')
    first.open = await t.write('no answer')
    await expect.poll(async () => textsOf(await t.answers()), settled).toEqual(['to one'])
    await t.edit(first.open, 'no answer, please')
    const [own] = await t.answers()
    await t.asBot.editMessage({ id: own!.id, body: { message: 'to one!', revision: 0 } })
    await t.edit(first.one, 'uno')
    await expect.poll(async () => textsOf(await t.answers()), settled).toEqual(['to one!', 'now to uno'])
  }
  await t.edit(first.one, 'eins', 1)
  await using _ = await t.start(prepare)
  await t.write('two')
  await expect
    .poll(async () => textsOf(await t.answers()), settled)
    .toEqual(['to one!', 'now to uno', 'now to eins', 'to two'])
  expect(seen()).toEqual([
    { id: first.one, text: 'uno', revision: 1 },
    { id: first.one, text: 'eins', revision: 2 },
  ])
  expect(t.errors).toEqual([])
})

test('without a handler edits are ignored, nothing is kept of answers, and a file of an earlier release is read', async () => {
  const t = await friends(['inbox:read', 'dm:send'])
  const prepare = (made: Agent) => made.on('dm', ({ text, reply }) => reply(`to ${text}`))
  {
    await using _ = await t.start(prepare)
    const id = await t.write('one')
    await expect.poll(async () => textsOf(await t.answers()), settled).toEqual(['to one'])
    await t.edit(id, 'uno')
    await t.write('two')
    await expect.poll(async () => textsOf(await t.answers()), settled).toEqual(['to one', 'to two'])
  }
  const { answered, ...earlier } = JSON.parse(await readFile(t.file, 'utf8'))
  expect(answered).toEqual({})
  await writeFile(t.file, JSON.stringify(earlier))
  await using _ = await t.start((made) => prepare(made).on('edited', () => undefined))
  await t.write('three')
  await expect.poll(async () => (await t.answers()).length, settled).toBe(3)
  expect(t.errors).toEqual([])
})

test('an answer grows within the limits of the service, and its parts are no edits', async () => {
  const t = await friends(streaming)
  const parts = Array.from({ length: 30 }, (_, n) => `${n} `)
  const whole = `${parts.join('')}👨‍👩‍👧`
  const pieces = [' ', '\u200b', ...parts, '👨‍', '👩‍', '👧']
  await using _ = await t.start((made) =>
    made.on('dm', async ({ stream }) => void (await stream(partsOf(pieces, 100)))),
  )
  await t.write('count')
  const seen = new Set<string>()
  const last = async () => {
    const [item] = await t.answers()
    if (item) seen.add(item.message)
    return item?.message
  }
  await expect.poll(last, { ...settled, interval: 100 }).toBe(` ${whole}`)
  expect([...seen][0]!.length).toBeLessThan(10)
  expect(seen.size).toBeGreaterThan(2)
  const [answer] = await t.answers()
  expect(textsOf(await t.edits(answer!.id))).toHaveLength(1)
  expect(answer!.revision).toBe(1)
  expect(t.errors).toEqual([])
})

test.each([
  ['a wallet that is no bot', streaming, false],
  ['a key without message:edit', ['inbox:read', 'dm:send'], true],
])('%s sends the whole text when it is complete', async (_name, scopes, isBot) => {
  const t = await friends(scopes, isBot)
  const last = Promise.withResolvers<void>()
  async function* parts() {
    yield 'The answer'
    await last.promise
    yield ' is 42.'
  }
  await using _ = await t.start((made) => made.on('dm', ({ stream }) => stream(parts())))
  await t.write('why?')
  await sleep(1_500)
  const early = await t.answers()
  last.resolve()
  expect(early).toEqual([])
  await expect.poll(async () => textsOf(await t.answers()), settled).toEqual(['The answer is 42.'])
  expect((await t.answers())[0]).not.toHaveProperty('revision')
})

test('a source that fails is read again into the same message, and an edit of the owner stays', async () => {
  const t = await friends(streaming)
  const results: boolean[] = []
  let tries = 0
  async function* failing() {
    yield `try ${++tries}`
    if (tries === 1) throw new Error('the model is away')
    yield ' works'
  }
  async function* changed() {
    yield 'The'
    await expect.poll(async () => textsOf(await t.answers()), settled).toHaveLength(2)
    const [, own] = await t.answers()
    await t.asBot.editMessage({ id: own!.id, body: { message: 'I say it myself.', revision: 0 } })
    yield ' answer'
  }
  await using _ = await t.start((made) =>
    made.on('dm', async ({ text, stream }) => {
      results.push(await stream(text === 'fail' ? failing() : changed()))
    }),
  )
  await t.write('fail')
  await expect.poll(async () => textsOf(await t.answers()), settled).toEqual(['try 2 works'])
  await t.write('change')
  await expect.poll(() => results, settled).toEqual([true, false])
  expect(textsOf(await t.answers())).toEqual(['try 2 works', 'I say it myself.'])
  expect(t.errors).toEqual([])
})
