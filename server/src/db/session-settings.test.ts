import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { newDatabase } from '../../../testing/service/database.ts'
import { templateDatabase } from '../../../testing/service/global-setup.ts'
import { newWallet, startService } from '../../../testing/service/service.ts'
import { startSmtp } from '../../../testing/outside/smtp.ts'
import { crontab, tasks } from '../background.ts'
import { startJobs } from '../jobs/runner.ts'
import { newClient } from './client.ts'
import { openSession } from './session.ts'

const odd = {
  datestyle: 'German, DMY',
  intervalstyle: 'sql_standard',
  timezone: 'Pacific/Apia',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  default_transaction_isolation: 'serializable',
  client_encoding: 'LATIN1',
  idle_session_timeout: '700ms',
  lock_timeout: '1ms',
}

/** This database has unusual defaults everywhere, and its URL sets more of them. */
async function newOddDatabase() {
  const database = await newDatabase(templateDatabase)
  const name = new URL(database.databaseUrl).pathname.slice(1)
  const client = newClient({ url: database.databaseUrl, name: 'test' })
  await client.connect()
  for (const [setting, value] of Object.entries(odd))
    await client.query(`alter database ${name} set ${setting} = '${value.replaceAll(', ', "', '")}'`)
  await client.end()
  const url = new URL(database.databaseUrl)
  url.searchParams.set('options', '-c datestyle=SQL,DMY -c work_mem=5MB')
  return { ...database, databaseUrl: url.href }
}

const shown = `
  select lower(name) as name, setting from pg_settings where lower(name) = any($1)`

test('every connection has its own settings, whatever the database or DATABASE_URL would have', async () => {
  await using database = await newOddDatabase()
  const client = newClient({ url: database.databaseUrl, name: 'test', settings: { lock_timeout: '2s' } })
  await client.connect()
  const { rows } = await client.query<{ name: string; setting: string }>(shown, [Object.keys(odd)])
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    datestyle: 'ISO, MDY',
    intervalstyle: 'postgres',
    timezone: 'UTC',
    bytea_output: 'hex',
    extra_float_digits: '1',
    standard_conforming_strings: 'on',
    array_nulls: 'on',
    default_transaction_isolation: 'read committed',
    client_encoding: 'UTF8',
    idle_session_timeout: '0',
    lock_timeout: '2000',
  })
  // Settings that the service does not set are taken from the URL.
  const { rows: memory } = await client.query<{ setting: string }>('select current_setting($1) as setting', [
    'work_mem',
  ])
  expect(memory).toEqual([{ setting: '5MB' }])
  await client.end()
  await using session = await openSession(database.databaseUrl, 'test')
  const [row] = await session.query<{ text: string }>(
    `select ('2026-11-24 20:00:00+00'::timestamptz)::text || ' ' || interval '1 day 2 hours' || ' ' || '\\x00ff'::bytea::text as text`,
  )
  expect(row!.text).toBe('2026-11-24 20:00:00+00 1 day 02:00:00 \\x00ff')
})

test('messages, live events and mails are as ever on a database with other defaults', async () => {
  await using database = await newOddDatabase()
  await using smtp = await startSmtp()
  await using service = await startService({ beside: database, smtpUrl: smtp.url })
  await using _jobs = startJobs(service.ctx, database.databaseUrl, { tasks, crontab })
  const [alice, bob] = [newWallet(), newWallet()]
  const text = 'gm – \\ “ö” 👋'
  const client = await service.as(alice)
  const [sent] = await client.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: text } })
  expect(sent).toMatchObject({ message: text, timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) })
  await client.updateSettings({ body: { walletaddr: alice, email: 'alice@example.org' } })
  await vi.waitFor(() => expect(smtp.inbox).toHaveLength(1), { timeout: 10_000 })
  const rows = await service.ctx.db.query<{ at: Date; none: (string | null)[] }>(
    'select to_timestamp(0) as at, $1::text[] as none',
    [['a', null]],
  )
  expect(rows).toEqual([{ at: new Date(0), none: ['a', null] }])
})

test('no connection is made but by the two files that name its settings', async () => {
  const folder = path.join(import.meta.dirname, '..')
  const files = (await readdir(folder, { recursive: true })).filter((file) => /(?<!\.test)\.ts$/.test(file))
  const making = []
  for (const file of files) {
    const text = await readFile(path.join(folder, file), 'utf8')
    if (/new (pg\.)?(Client|Pool)\(|new \(clientFor\(|new \w+\.native/.test(text)) making.push(file)
    if (file === 'db/client.ts' || file === 'db/hosts.ts') expect(text).toContain('...connectionTo(')
    if (file !== 'db/session-settings.ts') expect(text, file).not.toContain('connectionString')
  }
  expect(making.toSorted()).toEqual(['db/client.ts', 'db/hosts.ts'])
})
