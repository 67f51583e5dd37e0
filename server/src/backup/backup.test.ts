import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { newDatabase } from '../../../testing/service/database.ts'
import { listenTo } from '../../../testing/service/event-listener.ts'
import { followAll } from '../../../testing/service/log.ts'
import { newWallet, type Service, startService, useService } from '../../../testing/service/service.ts'
import { openBrowser } from '../../../testing/service/session-browser.ts'
import { unzip } from '../../../testing/service/files.ts'
import { walletBucket } from '../values/bucket.ts'
import { openDiskStore } from '../files/disk.ts'
import { openArchive } from './archive.ts'
import { backUp } from './backup.ts'
import { moveOnAfterRecovery } from './move-on.ts'
import { restore, verify } from './restore.ts'
import { onOneMachine } from '../../../testing/service/engines.ts'

const version = '0.0.0-test'

const sourceOf = ({ databaseUrl, ctx: { fileStore } }: Pick<Service, 'databaseUrl' | 'ctx'>) => ({
  databaseUrl,
  fileStore,
})

async function newFolder() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-backup-'))
  return {
    file: path.join(folder, 'backup.zip'),
    path: folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Stores one of everything: wallets with names, settings, pictures, chats, comments, jobs. */
async function populate(on: Service) {
  const [alice, bob] = [newWallet(), newWallet()]
  const [asAlice, asBob] = [await on.as(alice), await on.as(bob)]
  const base64data = (
    await sharp({ create: { width: 9, height: 9, channels: 3, background: '#175' } })
      .png()
      .toBuffer()
  ).toString('base64')
  await asAlice.setName({ body: { address: alice, name: 'Alice' } })
  await asAlice.createImage({ body: { addr: alice, base64data } })
  await asAlice.updateSettings({
    body: { walletaddr: alice, email: 'alice@example.org', notify24: 'true' },
  })
  await asAlice.createCommunity({ body: { community: 'Town', social: [{ type: 'web', name: 'a"b\\c\td' }] } })
  await asBob.joinChat({ body: { walletaddr: bob, nftaddr: 'town' } })
  await asAlice.postCommunityMessage({ body: { fromaddr: alice, nftaddr: 'Town', message: 'two\nlines\\N' } })
  const nft = { nftaddr: newWallet(), nftid: String(2n ** 256n - 1n) }
  await asBob.createComment({ body: { fromaddr: bob, ...nft, message: '🦜' } })
  await asBob.sendDirectMessage(
    { body: { fromaddr: bob, toaddr: alice, message: '\\. tab\there, "quoted" \\N' } },
    { idempotencyKey: 'once' },
  )
  return { alice, bob, nft }
}

const service = useService()
/** Nothing is written to this one after what `populate` has stored. */
const populated = useService()
let people: Awaited<ReturnType<typeof populate>>
beforeAll(async () => void (people = await populate(populated)))

/** Returns everything that a wallet sees. */
async function viewOf(on: Service, address: string) {
  const client = await on.as(address)
  return {
    inbox: await client.getInbox({ address }),
    messages: await client.listDirectMessages({ address }),
    bookmarks: await client.listBookmarks({ address }),
    settings: await client.getSettings({ address }),
    image: await client.getImage({ addr: address }),
    name: await client.getName({ name: address }),
    town: await client.listGroupMessages({ address: 'Town', useraddress: address, query: { enter: false } }),
    unread: await client.countUnread({ address }),
  }
}

test('what was restored is what was backed up, for every wallet; what comes next has new ids', async () => {
  await using folder = await newFolder()
  await using database = await newDatabase()
  const { alice, bob, nft } = people
  const manifest = await backUp({ ...sourceOf(populated), version, to: folder.file })
  expect(manifest).toMatchObject({ parley: version, jobs: { rows: 2 }, tables: { comments: { rows: 1 } } })
  expect((await stat(folder.file)).mode & 0o777).toBe(0o600)
  const dataDir = path.join(folder.path, 'data')
  const fileStore = openDiskStore({ dataDir, diskReserve: undefined })
  expect(await restore({ databaseUrl: database.databaseUrl, file: folder.file, fileStore })).toEqual(manifest)

  await using restored = await startService({ beside: database, dataDir })
  for (const address of [alice, bob])
    expect(await viewOf(restored, address)).toEqual(await viewOf(populated, address))
  const [asAlice, asBob] = [await restored.as(alice), await restored.as(bob)]
  expect(await asBob.listComments(nft)).toMatchObject([{ message: '🦜', nftid: BigInt(nft.nftid) }])
  // A request that was answered before the backup is still recognised when it is repeated.
  const body = { fromaddr: bob, toaddr: alice, message: '\\. tab\there, "quoted" \\N' }
  const [first] = await asBob.sendDirectMessage({ body }, { idempotencyKey: 'once' })
  const [second] = await asBob.sendDirectMessage({ body: { ...body, message: 'new' } })
  const lastInService = (await viewOf(populated, bob)).messages.at(-1)!
  expect(first!.id).toBe(lastInService.id)
  // Ids that clients may have seen after the backup are not used again.
  expect(second!.id).toBeGreaterThan(first!.id + 1_000_000)
  expect(second!.timestamp > first!.timestamp).toBe(true)
  await asAlice.joinChat({ body: { walletaddr: alice, nftaddr: newWallet() } })
  await asAlice.setName({ body: { address: alice, name: 'Alice II' } })
  expect((await viewOf(restored, bob)).inbox).toMatchObject([{ name: 'Alice II' }, { name: 'Town' }])
  await asAlice.createComment({ body: { fromaddr: alice, ...nft, message: 'me too' } })
  expect((await restored.ctx.db.query('select 1 as one from graphile_worker._private_jobs')).length).toBe(2)
  // Clients that resume from before the backup, or from what came after it, read everything again.
  await using listener = await listenTo(restored, bob, { lastEventId: String(first!.id + 1) })
  await listener.receives(1)
  expect(listener.events()[0]).toMatchObject({ type: 'resync' })
})

onOneMachine(
  'a database of an earlier moment gives ids far above, and clients read everything again',
  async () => {
    await using own = await startService()
    const [alice, bob] = [newWallet(), newWallet()]
    const body = { fromaddr: alice, toaddr: bob, message: 'gm' }
    const send = async () => (await (await own.as(alice)).sendDirectMessage({ body }))[0]!
    const first = await send()
    const browser = openBrowser(own.app)
    const account = privateKeyToAccount(generatePrivateKey())
    await browser.signIn(account)
    await moveOnAfterRecovery(own.databaseUrl)
    const second = await send()
    expect(second.id).toBeGreaterThan(first.id + 1_000_000)
    expect(second.timestamp > first.timestamp).toBe(true)
    // The ids that a client has seen of the lost messages lie between.
    await using listener = await listenTo(own, bob, { lastEventId: String(first.id + 64_000) })
    await listener.receives(1)
    expect(listener.events()[0]).toMatchObject({ type: 'resync' })
    expect((await browser.renew(account.address, browser.cookie())).statusCode).toBe(401)
  },
)

test('who was signed in is not in a backup', async () => {
  await using folder = await newFolder()
  await using database = await newDatabase()
  const account = privateKeyToAccount(generatePrivateKey())
  const browser = openBrowser(service.app)
  await browser.signIn(account)
  await backUp({ ...sourceOf(service), version, to: folder.file })
  await restore({ databaseUrl: database.databaseUrl, file: folder.file })
  await using restored = await startService({ beside: database })
  expect(await restored.ctx.db.query('select 1 as one from sessions')).toEqual([])
  expect((await openBrowser(restored.app).renew(account.address, browser.cookie())).statusCode).toBe(401)
})

test('nobody gets a mail about a message of the backup, but about what comes next', async () => {
  await using folder = await newFolder()
  await using database = await newDatabase()
  const [alice, bob] = [newWallet(), newWallet()]
  const body = { fromaddr: alice, toaddr: bob, message: 'gm' }
  await service.ctx.db.query(
    `insert into settings (wbucket, walletaddr, id, email, notifydm, verified) values ($1, $2, 0, 'bob@example.org', true, true)`,
    [walletBucket(bob), bob],
  )
  await (await service.as(alice)).sendDirectMessage({ body })
  await backUp({ ...sourceOf(service), version, to: folder.file })
  await restore({ databaseUrl: database.databaseUrl, file: folder.file })

  await using restored = await startService({ beside: database })
  const { db } = restored.ctx
  const jobs = () => db.query('select 1 as one from graphile_worker._private_jobs')
  await followAll(db)
  expect(await jobs()).toHaveLength(0)
  await (await restored.as(alice)).sendDirectMessage({ body })
  await followAll(db)
  expect(await jobs()).toHaveLength(1)
})

onOneMachine(
  'a backup while writers write has all that was acknowledged before it, whole, and counts equal recounts',
  async () => {
    await using own = await startService()
    await using second = await startService({ beside: own })
    await using folder = await newFolder()
    await using database = await newDatabase()
    const wallets = Array.from({ length: 8 }, newWallet)
    const clients = await Promise.all(wallets.map((address, i) => (i % 2 ? own : second).as(address)))
    const acknowledged: number[] = []
    const state = { writing: true }
    const writers = clients.map(async (client, i) => {
      for (let n = 0; state.writing; n++) {
        const toaddr = wallets[(i + 1 + (n % 7)) % 8]!
        const [sent] = await client.sendDirectMessage({
          body: { fromaddr: wallets[i]!, toaddr, message: `${i}.${n}` },
        })
        acknowledged.push(sent!.id)
        if (n % 3 === 0)
          await client.postGroupMessage({
            body: { fromaddr: wallets[i]!, nftaddr: wallets[0]!, message: 'x' },
          })
        if (n % 5 === 0) await client.deleteConversation({ fromaddr: wallets[i]!, toaddr })
      }
    })
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(300)
    const before = await own.ctx.db.query<{ id: number }>('select id from direct_messages')
    await backUp({ ...sourceOf(own), version, to: folder.file })
    const atEnd = acknowledged.length
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(atEnd)
    state.writing = false
    await Promise.all(writers)
    const after = new Set(
      (await own.ctx.db.query<{ id: number }>('select id from direct_messages')).map(({ id }) => id),
    )

    await restore({ databaseUrl: database.databaseUrl, file: folder.file })
    await using restored = await startService({ beside: database })
    const kept = new Set(
      (await restored.ctx.db.query<{ id: number }>('select id from direct_messages')).map(({ id }) => id),
    )
    // A row that existed before and was not deleted by the end existed all the time.
    expect(before.filter(({ id }) => after.has(id) && !kept.has(id))).toEqual([])
    for (const [i, address] of wallets.entries()) {
      const client = await restored.as(address)
      const items = await client.listDirectMessages({ address })
      const unread = items.filter(({ toaddr, read }) => toaddr === address && !read).length
      expect(await client.countUnreadByType({ address, type: 'dm' })).toBe(unread)
      // The messages of each writer up to some moment, with none missing.
      const sent = items
        .filter(({ fromaddr }) => fromaddr === address)
        .map(({ message }) => Number(message.split('.')[1]))
      expect(sent, String(i)).toEqual(sent.toSorted((a, b) => a - b))
    }
    const [chat] = await restored.ctx.db.query<{ posted: number; count: number }>(
      `select posted, (select count(*) from group_messages m where m.chat = c.chat) as count from group_chats c`,
    )
    expect(chat!.posted).toBe(chat!.count)
  },
)

test('a damaged archive is refused, wherever the damage is, and leaves the database empty', async () => {
  await using folder = await newFolder()
  await using database = await newDatabase()
  await backUp({ ...sourceOf(populated), version, to: folder.file })
  const whole = await readFile(folder.file)
  const { manifest } = await openArchive(folder.file)
  const attempt = async (bytes: Buffer) => {
    await writeFile(folder.file, bytes)
    await expect(verify(folder.file)).rejects.toThrow(/is damaged/)
    await expect(restore({ databaseUrl: database.databaseUrl, file: folder.file })).rejects.toThrow(
      /is damaged/,
    )
  }
  await attempt(whole.subarray(0, whole.length / 2))
  await attempt(Buffer.from('no archive at all'))
  // A byte of a table, of the jobs, and of the manifest: the content follows the file's name, which
  // the archive repeats at its end.
  for (const { file } of [manifest.tables.direct_messages!, manifest.jobs, { file: 'manifest.json' }]) {
    const bytes = Buffer.from(whole)
    const at = bytes.indexOf(file) + file.length + 20
    bytes[at]! ^= 0x10
    await attempt(bytes)
  }
  await writeFile(folder.file, whole)
  await expect(verify(folder.file)).resolves.toEqual(manifest)
  await restore({ databaseUrl: database.databaseUrl, file: folder.file })
  await using restored = await startService({ beside: database })
  expect(await restored.ctx.db.query('select message from comments')).toEqual([{ message: '🦜' }])
})

test('an archive of a newer Parley, of one before the first release, or of something else, is refused with what to do', async () => {
  await using folder = await newFolder()
  await using database = await newDatabase()
  /** Makes a backup of a database that also has the tables of another release. */
  const backUpWith = async (migration: string, of: string, to: string) => {
    const { db } = service.ctx
    await db.query('insert into kysely_migration values ($1, $2)', [migration, '2099-01-01'])
    await backUp({ ...sourceOf(service), version: of, to })
    await db.query('delete from kysely_migration where name = $1', [migration])
  }
  await backUpWith('9999_future.sql', '99.0.0', folder.file)
  await expect(restore({ databaseUrl: database.databaseUrl, file: folder.file })).rejects.toThrow(
    'made by a newer Parley (99.0.0, with 9999_future.sql). Update Parley first',
  )
  await backUpWith('0001_direct_messages.sql', '0.1.0', `${folder.file}.old`)
  await expect(restore({ databaseUrl: database.databaseUrl, file: `${folder.file}.old` })).rejects.toThrow(
    'made by a Parley before its first release (0.1.0), with other tables. It cannot be restored into this one. That Parley can still restore it',
  )
  await expect(
    backUp({ ...sourceOf(service), databaseUrl: database.databaseUrl, version, to: `${folder.file}.2` }),
  ).rejects.toThrow('no Parley has started on this database')
  await expect(restore({ databaseUrl: database.databaseUrl, file: `${folder.path}/none` })).rejects.toThrow(
    'There is no file',
  )
})

test('a database that holds anything is refused; one on which a service has only started is not', async () => {
  await using target = await startService()
  await using folder = await newFolder()
  const { bob } = people
  await backUp({ ...sourceOf(populated), version, to: folder.file })
  await restore({ databaseUrl: target.databaseUrl, file: folder.file })
  expect(await (await target.as(bob)).countUnread({ address: bob })).toBe(1)
  await expect(restore({ databaseUrl: target.databaseUrl, file: folder.file })).rejects.toThrow(
    /The database holds data \(in access_notices, bookmarks, .*set DATA_DIR to a new directory/,
  )
  expect(await (await target.as(bob)).countUnread({ address: bob })).toBe(1)
})

test('of two backups under one name one is refused, an existing file is kept, and a failed backup leaves no file', async () => {
  await using folder = await newFolder()
  const take = () => backUp({ ...sourceOf(service), version, to: folder.file })
  const both = await Promise.allSettled([take(), take()])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await cp(folder.file, `${folder.file}.copy`)
  await expect(take()).rejects.toThrow('exists already. Move it away')
  expect(await readFile(folder.file)).toEqual(await readFile(`${folder.file}.copy`))
  const stopped = backUp({
    ...sourceOf(service),
    version,
    to: `${folder.file}.stopped`,
    signal: AbortSignal.abort(),
  })
  await expect(stopped).rejects.toThrow()
  expect((await readdir(folder.path)).toSorted()).toEqual(['backup.zip', 'backup.zip.copy'])
})

test('the secret is in an archive only when it is asked for', async () => {
  await using folder = await newFolder()
  const secret = randomBytes(32).toString('hex')
  await backUp({ ...sourceOf(service), version, to: folder.file })
  await backUp({ ...sourceOf(service), version, to: `${folder.file}.2`, secret })
  expect((await unzip(await readFile(folder.file))).has('jwt-secret')).toBe(false)
  expect(String((await unzip(await readFile(`${folder.file}.2`))).get('jwt-secret'))).toBe(secret)
})
