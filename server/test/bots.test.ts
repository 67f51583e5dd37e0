import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newToken, newWallet, startService } from '../../testing/service.ts'

test('the commands of docs/bots.md run, in their order, each with the key that the first one makes', async () => {
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
  }
  const answers: unknown[] = []
  for (const [, command] of page.matchAll(/^```sh\n([\s\S]*?)^```/gm)) {
    const { stdout } = await promisify(execFile)('bash', ['-eo', 'pipefail', '-c', command!], {
      env,
      timeout: 20_000,
    })
    const [answer] = JSON.parse(stdout) as [{ key?: string }]
    answers.push(answer)
    env.KEY ??= answer.key
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
  ])
  const pair = { fromaddr: bob, toaddr: alice }
  expect((await asBob.listConversation(pair)).map(({ message }) => message)).toEqual([
    'tell me',
    'the build is green',
  ])
})
