import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newToken, newWallet, startService } from '../../testing/service.ts'

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
