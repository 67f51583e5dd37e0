import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newApiKeyOf } from '../../testing/people/secrets.ts'
import { newFolder } from '../../testing/service/files.ts'
import { newName, newToken, newWallet, useService } from '../../testing/service/service.ts'

const service = useService()

interface Shown {
  key?: string
  url?: string
}

test('the commands of docs/bots.md run, in their order, with the key and the address that earlier ones make', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../../docs/bots.md'), 'utf8')
  const [alice, bob, chat] = [newWallet(), newWallet(), newName('Builders')]
  const asBob = await service.as(bob)
  await asBob.sendDirectMessage({ body: { fromaddr: bob, toaddr: alice, message: 'tell me' } })
  const env: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    BASE: await service.listen(),
    TOKEN: await newToken(service.ctx, alice),
    ADDRESS: alice,
    PEER: bob,
    CHAT: chat,
  }
  await asBob.createCommunity({ body: { community: chat } })
  const answers: unknown[] = []
  for (const [, command] of page.matchAll(/^```sh\n([\s\S]*?)^```/gm)) {
    const { stdout } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', command!], {
      env,
      timeout: 20_000,
    })
    const answer = [JSON.parse(stdout) as Shown].flat()[0]!
    answers.push(answer)
    env.KEY ??= answer.key
    env.HOOK ??= answer.url && env.BASE + new URL(answer.url).pathname
  }
  expect(answers).toMatchObject([
    {
      label: 'alerts of the build server',
      scopes: ['inbox:read', 'dm:send'],
      key: expect.stringMatching(/^prl_/),
    },
    { fromaddr: bob, message: 'tell me' },
    { fromaddr: alice, message: 'the build is green' },
    { label: 'alerts of the build server' },
    { is_bot: true },
    { is_bot: true },
    { label: 'the build server', nftaddr: chat, url: expect.stringContaining('/v1/hooks/prh_') },
    { id: expect.any(Number) },
    { id: expect.any(Number) },
  ])
  const posts = await asBob.listGroupMessages({ address: chat, useraddress: bob })
  expect(posts.map(({ fromaddr, message }) => [fromaddr, message])).toEqual([
    [alice, 'The build is green.'],
    [alice, 'The build is red.'],
  ])
  const pair = { fromaddr: bob, toaddr: alice }
  expect((await asBob.listConversation(pair)).map(({ message }) => message)).toEqual([
    'tell me',
    'the build is green',
  ])
})

/** Runs a program of docs/bots.md as an agent of a wallet that has accepted another one. */
async function runProgram(number: number, scopes: string[], isBot = false, on = service) {
  const page = await readFile(path.join(import.meta.dirname, '../../docs/bots.md'), 'utf8')
  const programs = [...page.matchAll(/^```ts\n(import [\s\S]*?)^```/gm)].map(([, program]) => program!)
  const folder = await newFolder('agent-of-docs')
  const file = path.join(folder.path, 'agent.json')
  const [alice, bot] = [newWallet(), newWallet()]
  const [asAlice, asBot] = [await on.as(alice), await on.as(bot)]
  await asBot.setContact({ peer: alice, body: { state: 'accepted' } })
  if (isBot) await asBot.becomeBot()
  const child = spawn(
    process.execPath,
    ['--input-type=module-typescript', '-e', programs[number]!.replace("'agent.json'", JSON.stringify(file))],
    {
      cwd: path.join(import.meta.dirname, '../..'),
      env: {
        PATH: process.env.PATH,
        PARLEY_URL: await on.listen(),
        PARLEY_API_KEY: await newApiKeyOf(on, bot, scopes),
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  const isReady = () =>
    access(file).then(
      () => true,
      () => false,
    )
  return {
    alice,
    bot,
    asAlice,
    asBot,
    isReady,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
      await folder[Symbol.asyncDispose]()
    },
  }
}

test('the agent of docs/bots.md answers direct messages and mentions', async () => {
  await using run = await runProgram(0, ['inbox:read', 'dm:send', 'chat:read', 'chat:post'])
  const { alice, bot, asAlice, asBot } = run
  const chat = newWallet()
  await asBot.joinChat({ body: { walletaddr: bot, nftaddr: chat } })
  await expect.poll(run.isReady, { timeout: 20_000 }).toBe(true)
  const pair = { fromaddr: alice, toaddr: bot }
  await asAlice.sendDirectMessage({ body: { ...pair, message: 'gm' } })
  await asAlice.postGroupMessage({ body: { fromaddr: alice, nftaddr: chat, message: `gm @${bot}` } })
  const texts = async () => [
    ...(await asAlice.listConversation(pair)),
    ...(await asAlice.listGroupMessages({ address: chat, useraddress: alice })),
  ]
  await expect
    .poll(async () => (await texts()).map(({ message }) => message), { timeout: 20_000 })
    .toEqual(['gm', 'You wrote: gm', `gm @${bot}`, 'Hello there!'])
})

const limited = useService({ rateLimits: true })

test('the answer of the second agent of docs/bots.md grows, and it notices that the question was edited', async () => {
  await using run = await runProgram(1, ['inbox:read', 'dm:send', 'message:edit'], true, limited)
  const { alice, bot, asAlice } = run
  await expect.poll(run.isReady, { timeout: 20_000 }).toBe(true)
  const pair = { fromaddr: alice, toaddr: bot }
  const [asked] = await asAlice.sendDirectMessage({ body: { ...pair, message: 'why?' } })
  const seen = new Set<string>()
  const answers = async () =>
    (await asAlice.listConversation(pair))
      .filter(({ fromaddr }) => fromaddr === bot)
      .map(({ message }) => (seen.add(message), message))
  const whole = 'You asked “why?”, and the answer is 42.'
  await expect.poll(answers, { timeout: 20_000, interval: 50 }).toEqual([whole])
  // Its beginning and at least one more part were there before.
  expect(seen.size).toBeGreaterThan(2)
  for (const text of seen) expect(whole.startsWith(text), text).toBe(true)
  await asAlice.editMessage({ id: asked!.id, body: { message: 'how?', revision: 0 } })
  await expect.poll(answers, { timeout: 20_000 }).toEqual([whole, 'You have changed it to “how?”.'])
})
