// The steps of docs/move-here.md, as an administrator types them.

import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../../testing/service/files.ts'
import { parley } from '../../../../testing/service/processes.ts'
import { newWallet, startService } from '../../../../testing/service/service.ts'

test('the steps of the page move a community here, and away again', { timeout: 120_000 }, async () => {
  await using service = await startService()
  await using folder = await newFolder('move')
  const page = await readFile(path.join(import.meta.dirname, '../../../../docs/move-here.md'), 'utf8')
  const blockOf = (kind: string) =>
    [...page.matchAll(new RegExp(`\`\`\`${kind}\n(.*?)\`\`\``, 'gs'))].map(([, text]) => text!)
  await mkdir(path.join(folder.path, 'export'))
  await cp(path.join(import.meta.dirname, 'samples/slack'), path.join(folder.path, 'export/slack'), {
    recursive: true,
  })
  await writeFile(path.join(folder.path, 'export/people.csv'), blockOf('csv')[0]!)
  const commands = blockOf('sh').flatMap((block) => block.trim().split('\n'))
  const { databaseUrl, ctx } = service
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: ctx.config.dataDir, INIT_CWD: folder.path }
  const said: string[] = []
  for (const command of commands) {
    const { code, out, err } = await parley(command.replace('npm run parley -- ', '').split(' '), env)
    expect([command, code, err]).toEqual([command, 0, ''])
    said.push(out)
  }
  const [dry, done, checked, left, again] = said
  expect(dry).toMatch(/Would import general into gardeners: 2 messages, 2 people, 0 of them with a wallet/)
  expect(dry).toContain('Nothing is changed')
  expect(done).toMatch(/2 people, 1 of them with a wallet/)
  expect(done).toMatch(/1 +files that are not in the export/)
  expect(checked).toContain('nothing is wrong')
  expect(left).toContain('2 messages, 0 files')
  expect(again).toContain('Imported gardeners into allotments: 2 messages')
  const wallet = newWallet()
  const client = await service.as(wallet)
  const items = await client.listGroupMessages({ address: 'allotments', useraddress: wallet })
  expect(items.map(({ fromaddr, imported }) => [fromaddr, imported])).toEqual([
    ['0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb', true],
    ['slack:U02', true],
  ])
  expect(await parley(['import', 'export/slack', '--from', 'icq', '--into', 'gardeners'], env)).toMatchObject(
    { code: 2 },
  )
})
