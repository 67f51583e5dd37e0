// This tests the operator's tool, as a process of its own beside a service.

import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { createClient } from '@parley/sdk'
import { expect, test } from 'vitest'
import { newDatabase } from '../../../testing/service/database.ts'
import { newFolder } from '../../../testing/service/files.ts'
import { freePort } from '../../../testing/service/ports.ts'
import { createServiceProcess } from '../../../testing/service/service-process.ts'
import { newName, newWallet, useService } from '../../../testing/service/service.ts'
import { parley, tool } from '../../../testing/service/processes.ts'
import project from '../../package.json' with { type: 'json' }
import { issueToken } from '../auth/tokens.ts'
import { examples } from './examples.ts'
import { createProgram } from './program.ts'

const service = useService()

test('wallet and chat tell numbers and times, and no text or mail address', async () => {
  const env = { DATABASE_URL: service.databaseUrl }
  const [alice, bob, gardeners] = [newWallet(), newWallet(), newName('Gardeners')]
  const asAlice = await service.as(alice)
  await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'a private word' } })
  await asAlice.createCommunity({ body: { community: gardeners } })
  await asAlice.joinChat({ body: { walletaddr: alice, nftaddr: gardeners.toLowerCase() } })
  await asAlice.postGroupMessage({
    body: { fromaddr: alice, nftaddr: gardeners.toLowerCase(), message: 'a public word' },
  })
  await service.ctx.db.query(`insert into sanctions (subject, kind, ms) values ($1, 'mute', 1)`, [bob])
  const ofBob = await parley(['wallet', bob.toUpperCase().replace('X', 'x'), '--json'], env)
  expect(JSON.parse(ofBob.out)).toMatchObject({ conversations: 1, unread: 1, requests: 1, has_mail: false })
  expect((await parley(['wallet', bob], env)).out).toContain('mute forever')
  const ofChat = await parley(['chat', gardeners.toUpperCase()], env)
  expect(ofChat.out).toMatch(/messages +1,/)
  expect(ofChat.out).toMatch(new RegExp(`${alice} \\(owner\\)`))
  expect(ofBob.out + ofChat.out).not.toContain('word')
  expect(await parley(['wallet', 'bob'], env)).toMatchObject({ code: 1 })
  expect((await parley(['chat', 'nobody-here'], env)).err).toContain('There is no chat nobody-here')
})

test('jobs that have failed are listed, and done again only when somebody says so', async () => {
  const env = { DATABASE_URL: service.databaseUrl }
  expect((await parley(['retry-jobs'], env)).out).toContain('No job has failed.')
  const jobs = () =>
    service.ctx.db.query<{ attempts: number }>('select attempts from graphile_worker._private_jobs')
  await service.ctx.db.query(
    `select id from graphile_worker.add_job('send-mail', '{"toaddr":"someone@example.org"}'::json, run_at => now() + interval '1 hour')`,
  )
  await service.ctx.db.query('update graphile_worker._private_jobs set attempts = 3')
  const listed = await parley(['retry-jobs', '--list'], env)
  expect(listed.out).toContain('send-mail: 3 tries')
  expect(listed.out).not.toContain('example.org')
  expect(await parley(['retry-jobs'], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Say --yes'),
  })
  expect((await parley(['retry-jobs', 'other'], env)).out).toContain('No job of other has failed')
  expect(await jobs()).toEqual([{ attempts: 3 }])
  expect((await parley(['retry-jobs', 'send-mail', '--yes'], env)).out).toContain('1 jobs will be done now')
  expect(await jobs()).toEqual([{ attempts: 0 }])
})

test('migrate says what it would do, and brings an empty database up to date', async () => {
  await using database = await newDatabase()
  const env = { DATABASE_URL: database.databaseUrl }
  expect((await parley(['migrate', '--dry-run'], env)).out).toContain('To be applied: 0001_ids.sql')
  expect((await parley(['status'], env)).out).toContain('no Parley has started on it')
  expect(JSON.parse((await parley(['migrate', '--json'], env)).out).isDone).toBe(true)
  expect((await parley(['migrate'], env)).out).toContain('up to date')
})

test(
  'a new secret signs nobody out, until the file of the one before is deleted; a leaked one is refused at once',
  { timeout: 180_000 },
  async () => {
    await using folder = await newFolder('secret')
    await using database = await newDatabase()
    const env = {
      DATABASE_URL: database.databaseUrl,
      DATA_DIR: path.join(folder.path, 'data'),
      PUBLIC_URL: 'https://chat.example.org',
      DRAIN_SECONDS: '0',
    }
    await using started = createServiceProcess({ port: await freePort(), env })
    await started.start()
    const wallet = newWallet()
    const secret = () => readFile(path.join(env.DATA_DIR, 'jwt-secret'), 'utf8')
    const token = await issueToken(
      { config: { publicUrl: env.PUBLIC_URL, jwtSecret: await secret() } },
      wallet,
    )
    const isSignedIn = async () => {
      await started.end('SIGTERM')
      await started.start()
      const client = createClient({ baseUrl: started.url, token })
      return client.getInbox({ address: wallet }).then(
        () => true,
        () => false,
      )
    }
    // No PORT is given: the service has stored its address in DATA_DIR.
    expect((await parley(['status'], env)).out).toMatch(new RegExp(`service +ready at ${started.url}\\b`))
    const before = await secret()
    expect((await parley(['rotate-secret'], env)).err).toContain('Say --yes')
    expect(await secret()).toBe(before)
    const done = await parley(['rotate-secret', '--yes'], env)
    expect(done.code).toBe(0)
    expect(await secret()).not.toBe(before)
    expect(done.out + done.err).not.toContain(before)
    expect(done.out + done.err).not.toContain(await secret())
    expect(await isSignedIn()).toBe(true)
    await rm(path.join(env.DATA_DIR, 'jwt-secret.previous'))
    expect(await isSignedIn()).toBe(false)
    const leaked = await parley(['rotate-secret', '--leaked', '--yes'], env)
    expect(leaked.out).toContain('everybody signs in again')
    expect(await readFile(path.join(env.DATA_DIR, 'jwt-secret.previous'), 'utf8')).toBe('')
    expect(await parley(['rotate-secret', '--yes'], { ...env, JWT_SECRET: 'x'.repeat(32) })).toMatchObject({
      code: 1,
    })
  },
)

let backupHelp: ReturnType<typeof parley> | undefined
const helpOfBackup = () => (backupHelp ??= parley(['backup', '--help']))

test('each command has help, and what is not understood ends with 2', async () => {
  const names = createProgram(async () => {}).commands.map((command) => command.name())
  expect(names.length).toBeGreaterThan(16)
  const all = await parley(['--help'])
  for (const name of names) expect(all.out).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
  expect(all.code).toBe(0)
  expect(await helpOfBackup()).toMatchObject({
    code: 0,
    out: expect.stringContaining('--with-secret'),
  })
  for (const wrong of [
    ['nonsense'],
    ['start', 'nonsense'],
    ['wallet'],
    ['backup', '--nonsense'],
    ['operator', 'nonsense'],
  ])
    expect(await parley(wrong), wrong.join(' ')).toMatchObject({ code: 2, out: '' })
  const docs = await readFile(path.join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
  for (const name of names) expect(docs, name).toContain(`| \`${name}`)
})

test('a reader that stops after the first line ends the tool quietly', async () => {
  const { code, out, err } = await parley(
    ['-c', `"$0" "$1" --help | (exec 0<&-; echo read)`, process.execPath, tool],
    {},
    ['sh'],
  )
  expect({ code, out, err }).toEqual({ code: 0, out: 'read\n', err: '' })
})

test('the help of each command ends with examples that the program understands', async () => {
  for (const command of createProgram(async () => {}).commands) {
    const own = examples[command.name()] ?? []
    expect(own.length, command.name()).toBeGreaterThan(0)
    for (const [words] of own) {
      const program = createProgram(async () => {})
      const ran: string[] = []
      for (const each of program.commands) each.action(() => void ran.push(each.name()))
      await program.parseAsync(words.replace(/ > \S+$/, '').split(' '), { from: 'user' })
      expect(ran, words).toEqual([command.name()])
    }
  }
  expect(Object.keys(examples).toSorted()).toEqual(
    createProgram(async () => {})
      .commands.map((command) => command.name())
      .toSorted(),
  )
  expect((await helpOfBackup()).out).toMatch(
    /Examples:\n {2}npm run --silent parley -- backup --to \/backups\/parley\.zip /,
  )
})

test('npx runs the tool of the clone, with the Node of its packages', { timeout: 120_000 }, async () => {
  const { HOME = '' } = process.env
  const npx = (...args: string[]) =>
    // It does not query a registry.
    parley(args, { HOME, npm_config_loglevel: 'silent' }, ['npx', '--no-install', 'parley'])
  expect(await npx('--version')).toMatchObject({ code: 0, out: `${project.version}\n` })
  const help = await npx('status', '--help')
  expect(help.code).toBe(0)
  expect(help.out).toContain('npm run --silent parley -- status --json')
  expect(await npx('nonsense')).toMatchObject({ code: 2, out: '' })
})
