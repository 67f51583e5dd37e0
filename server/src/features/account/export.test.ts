import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { tablesOf } from '../../feature.ts'
import { issueToken } from '../../auth/tokens.ts'
import type { Db } from '../../db/pool.ts'
import { clientOf, newName, newWallet, useService } from '../../../../testing/service/service.ts'
import { openBrowser } from '../../../../testing/service/session-browser.ts'
import { unzip } from '../../../../testing/service/files.ts'
import { features } from '../index.ts'
import { exportWallet } from './export.ts'

const service = useService()

const lines = (file: Buffer | undefined): unknown[] =>
  String(file)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

const painted = (width: number) =>
  sharp({ create: { width, height: 20, channels: 3, background: '#175' } })
    .png()
    .toBuffer()

const acme = useService({ beside: service, encryptionVendor: 'acme' })

test('a wallet exports all of its own data, and nothing of others', async () => {
  const [alice, bob, carol] = [newWallet(), newWallet(), newWallet()]
  const [asAlice, asBob] = [await acme.as(alice), await acme.as(bob)]
  const [town, nft] = [`${newName('Town')}..`, { nftaddr: newWallet(), nftid: String(2n ** 256n - 1n) }]
  const [picture, logo] = [await painted(20), await painted(30)]
  await asAlice.setName({ body: { address: alice, name: 'Alice' } })
  await asAlice.updateSettings({
    body: { walletaddr: alice, email: 'alice@example.org', notifydm: 'true' },
  })
  await asAlice.createCommunity({
    body: { community: town, social: [{ type: 'web', name: 'town.example' }] },
  })
  await asAlice.createImage({ body: { addr: alice, base64data: picture.toString('base64') } })
  await asAlice.createImage({
    body: { addr: town, base64data: `data:image/png;base64,${logo.toString('base64')}` },
  })
  // A chat that it never enters has no visit.
  for (const nftaddr of [nft.nftaddr, town]) await asAlice.joinChat({ body: { walletaddr: alice, nftaddr } })
  for (const message of ['one', 'two']) await asAlice.createDraft({ body: { toaddr: bob, message } })
  await asAlice.createApiKey({ body: { label: 'alerts', scopes: ['inbox:read'] } })
  await asAlice.createIncomingHook({ body: { label: 'builds', nftaddr: town } })
  const text = 'two\nlines, "quotes" and 🦜'
  await asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: text } })
  await acme.app.inject({
    method: 'POST',
    url: '/v1/create_chatitem',
    headers: { authorization: `Bearer ${await issueToken(acme.ctx, bob)}` },
    payload: { fromaddr: bob, toaddr: alice, message: 'sealed', encrypted_sym_acme_key: 'k' },
  })
  await asBob.sendDirectMessage({ body: { fromaddr: bob, toaddr: carol, message: 'not for Alice' } })
  for (const [client, fromaddr] of [[asAlice, alice] as const, [asBob, bob] as const]) {
    await client.postCommunityMessage({ body: { fromaddr, nftaddr: town, message: `post of ${fromaddr}` } })
    await client.createComment({ body: { fromaddr, ...nft, message: `comment of ${fromaddr}` } })
  }
  await asAlice.becomeBot()

  const response = await acme.app.inject({
    url: `/v1/export/${alice}`,
    headers: { authorization: `Bearer ${await issueToken(acme.ctx, alice)}` },
  })
  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="parley-${alice}.zip"`,
    'cache-control': 'no-store',
  })
  const files = await unzip(response.rawPayload)
  const lists = tablesOf(features).flatMap(([, { exported }]) =>
    typeof exported === 'string' ? [] : Object.keys(exported.lines ?? {}),
  )
  expect([...files.keys()].toSorted()).toEqual(
    ['account.json', `communities/${town.toLowerCase()}.png`, 'picture.png', ...lists].toSorted(),
  )
  const of = (name: string) => lines(files.get(`${name}.jsonl`))
  expect(JSON.parse(String(files.get('account.json')))).toMatchObject({
    address: alice,
    bot_since: expect.stringMatching(/^20.*Z$/),
  })
  expect(of('direct-messages')).toMatchObject([
    { fromaddr: alice, toaddr: bob, message: text, sender_name: 'Alice' },
    { fromaddr: bob, toaddr: alice, message: 'sealed', encrypted_sym_acme_key: 'k' },
  ])
  expect(of('direct-messages')).toEqual(
    JSON.parse(
      (
        await acme.app.inject({
          url: `/v1/getall_chatitems/${alice}`,
          headers: { authorization: `Bearer ${await issueToken(acme.ctx, alice)}` },
        })
      ).body,
    ),
  )
  expect(of('group-messages')).toMatchObject([
    { fromaddr: alice, nftaddr: town, context_type: 'community', message: `post of ${alice}` },
  ])
  expect(of('comments')).toMatchObject([{ fromaddr: alice, message: `comment of ${alice}` }])
  expect(String(files.get('comments.jsonl'))).toContain(`"nftid":${nft.nftid}`)
  expect(of('bookmarks')).toEqual(await asAlice.listBookmarks({ address: alice }))
  expect(of('api_keys')).toEqual(await asAlice.listApiKeys())
  expect(of('drafts')).toEqual(await asAlice.listDrafts())
  expect(of('drafts')).toHaveLength(2)
  expect(of('incoming_hooks')).toEqual(await asAlice.listIncomingHooks())
  expect(of('contacts')).toEqual([{ peer: bob, state: 'accepted' }])
  expect(of('visits')).toMatchObject([{ nftaddr: town, posted: 1 }])
  expect(of('communities')).toMatchObject([{ community: town, social: [{ name: 'town.example' }] }])
  expect(of('name')).toMatchObject([{ address: alice, name: 'Alice' }])
  expect(of('settings')).toEqual(await asAlice.getSettings({ address: alice }))
  expect(files.get('picture.png')).toEqual(picture)
  expect(files.get(`communities/${town.toLowerCase()}.png`)).toEqual(logo)
})

test('a wallet without data gets empty files, and no one exports the data of another', async () => {
  const [alice, mallory] = [newWallet(), newWallet()]
  const stream = await (await service.as(alice)).exportAccount({ address: alice })
  const files = await unzip(Buffer.from(await new Response(stream).arrayBuffer()))
  expect(files.get('direct-messages.jsonl')).toEqual(Buffer.alloc(0))
  const stolen = (await service.as(mallory)).exportAccount({ address: alice })
  await expect(stolen).rejects.toMatchObject({ code: 'forbidden' })
})

test('a long history is whole, and what an erased wallet left is not in it', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  const [asAlice, asBob] = [await service.as(alice), await service.as(bob)]
  const nft = { nftaddr: newWallet(), nftid: '1' }
  const all = Array.from({ length: 305 }, (_, n) => String(n))
  // They are not sent all at once: a busy machine would refuse some.
  for (let from = 0; from < all.length; from += 61)
    await Promise.all(
      all
        .slice(from, from + 61)
        .flatMap((message) => [
          asAlice.sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message } }),
          asBob.sendDirectMessage({ body: { fromaddr: bob, toaddr: alice, message } }),
          asAlice.postGroupMessage({ body: { fromaddr: alice, nftaddr: nft.nftaddr, message } }),
          asBob.postGroupMessage({ body: { fromaddr: bob, nftaddr: nft.nftaddr, message } }),
          asAlice.createComment({ body: { fromaddr: alice, ...nft, message } }),
        ]),
    )
  const textsOf = async () => {
    const files = await unzip(await buffer(await exportWallet(features, service.ctx, alice)))
    return ['direct-messages', 'group-messages', 'comments'].map((name) =>
      (lines(files.get(`${name}.jsonl`)) as { message: string }[]).map(({ message }) => message).toSorted(),
    )
  }
  expect(await textsOf()).toEqual([[...all, ...all].toSorted(), all.toSorted(), all.toSorted()])
  await asAlice.eraseAccount({ address: alice })
  expect(await textsOf()).toEqual([[], all.toSorted(), []])
})

test('the service reads no faster than the client: memory does not grow with the history', async () => {
  const [alice, bob] = [newWallet(), newWallet()]
  await (await service.as(alice)).sendDirectMessage({ body: { fromaddr: alice, toaddr: bob, message: 'gm' } })
  // Texts that do not compress: 20 pages of 2 MB.
  await service.ctx.db.query(
    `insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, ms)
     select bucket, conversation_id, next_id_v1(bucket, id + n * 64), fromaddr, toaddr,
       (select string_agg(md5(n::text || k::text), '') from generate_series(1, 640) k), ms
     from direct_messages, generate_series(1, 2000) n where fromaddr = $1`,
    [alice],
  )
  let queries = 0
  const db: Db = {
    ...service.ctx.db,
    query: (sql, values) => {
      queries++
      return service.ctx.db.query(sql, values)
    },
  }
  const archive = await exportWallet(features, { ...service.ctx, db }, alice)
  const reader = archive[Symbol.asyncIterator]()
  let read = 0
  while (read < 100_000) read += ((await reader.next()).value as Buffer).length
  await expect
    .poll(async () => {
      const before = queries
      await new Promise((resolve) => setTimeout(resolve, 300))
      return queries - before
    })
    .toBe(0)
  expect(queries).toBeLessThan(12)
  await reader.return?.()
  expect(archive.destroyed).toBe(true)
})

test('an export that fails in the middle breaks off, and one that cannot begin says so', async () => {
  const alice = newWallet()
  const db: Db = {
    ...service.ctx.db,
    query: (sql, values) =>
      sql.includes('comment_threads') ? Promise.reject(new Error('away')) : service.ctx.db.query(sql, values),
  }
  await expect(buffer(await exportWallet(features, { ...service.ctx, db }, alice))).rejects.toThrow('away')
  const broken: Db = { ...db, query: () => Promise.reject(new Error('away')) }
  await expect(exportWallet(features, { ...service.ctx, db: broken }, alice)).rejects.toThrow('away')
})

test('it says where the wallet is signed in, and nothing that signs in', async () => {
  const [browser, account] = [openBrowser(service.app), privateKeyToAccount(generatePrivateKey())]
  await browser.signIn(account)
  const client = clientOf(service.app, { token: browser.token() })
  const archive = await client.exportAccount({ address: account.address })
  const files = await unzip(Buffer.from(await new Response(archive).arrayBuffer()))
  const [listed] = await client.listSessions({ address: account.address })
  const { browser: name, created_at, used_at } = listed!
  expect(lines(files.get('sessions.jsonl'))).toEqual([{ browser: name, created_at, used_at }])
})
