import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newApiKeyOf } from '../../testing/people/secrets.ts'
import { newFolder } from '../../testing/service/files.ts'
import { newToken, newWallet, startService } from '../../testing/service/service.ts'

interface Shown {
  key?: string
  url?: string
}

test('the commands of docs/bots.md run, in their order, with the key and the address that earlier ones make', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../../docs/bots.md'), 'utf8')
  await using service = await startService()
  const [alice, bob] = [newWallet(), newWallet()]
  const asBob = await service.as(bob)
  await asBob.sendDirectMessage({ body: { fromaddr: bob, toaddr: alice, message: 'tell me' } })
  const env: Record<string, string | undefined> = {
    PATH: process.env.PATH,
    BASE: await service.listen(),
    TOKEN: await newToken(service.ctx, alice),
    ADDRESS: alice,
    PEER: bob,
    CHAT: 'Builders',
  }
  await asBob.createCommunity({ body: { community: 'Builders' } })
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
    { label: 'the build server', nftaddr: 'Builders', url: expect.stringContaining('/v1/hooks/prh_') },
    { id: expect.any(Number) },
    { id: expect.any(Number) },
  ])
  const posts = await asBob.listGroupMessages({ address: 'Builders', useraddress: bob })
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

test('the agent of docs/bots.md answers direct messages and mentions', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../../docs/bots.md'), 'utf8')
  const [, program] = /^```ts\n([\s\S]*?@parley\/sdk\/agent[\s\S]*?)^```/m.exec(page)!
  await using service = await startService()
  await using folder = await newFolder('agent-of-docs')
  const file = path.join(folder.path, 'agent.json')
  const [alice, bot, chat] = [newWallet(), newWallet(), newWallet()]
  const [asAlice, asBot] = [await service.as(alice), await service.as(bot)]
  await asBot.setContact({ peer: alice, body: { state: 'accepted' } })
  await asBot.joinChat({ body: { walletaddr: bot, nftaddr: chat } })
  const child = spawn(
    process.execPath,
    ['--input-type=module-typescript', '-e', program!.replace("'agent.json'", JSON.stringify(file))],
    {
      cwd: path.join(import.meta.dirname, '../..'),
      env: {
        PATH: process.env.PATH,
        PARLEY_URL: await service.listen(),
        PARLEY_API_KEY: await newApiKeyOf(service, bot, ['inbox:read', 'dm:send', 'chat:read', 'chat:post']),
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  )
  try {
    await expect
      .poll(() =>
        access(file).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
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
  } finally {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
})
