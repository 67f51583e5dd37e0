// Announcements notify those who agreed, once, by every channel that they have; nobody else.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startChain } from '../../../../testing/chains/chain.ts'
import { startPushService } from '../../../../testing/outside/push-service.ts'
import { header, startSmtp } from '../../../../testing/outside/smtp.ts'
import { chatMember, newCommunity } from '../../../../testing/people/chat-members.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import { runWaitingJobs } from '../../../../testing/people/push-people.ts'
import { unzip } from '../../../../testing/service/files.ts'
import { newName, newWallet, startService, useService } from '../../../../testing/service/service.ts'
import { chatBucket, walletBucket } from '../../values/bucket.ts'

const adminApiKey = 'an-admin-key-that-is-long-enough-to-be-one'
const publicUrl = 'https://chat.example.org'

let smtp: Awaited<ReturnType<typeof startSmtp>>
let pushService: Awaited<ReturnType<typeof startPushService>>
beforeAll(async () => {
  smtp = await startSmtp()
  pushService = await startPushService()
})
afterAll(async () => {
  for (const one of [smtp, pushService]) await one[Symbol.asyncDispose]()
})
const settings = () => ({ adminApiKey, publicUrl, smtpUrl: smtp.url, privatePushHosts: [pushService.host] })
const service = useService(settings)
const other = useService(() => ({ ...settings(), beside: service }))

const mailsTo = (email: string) =>
  smtp.inbox.filter(
    ({ recipients, mail }) => recipients.includes(email) && /announcement/.test(mail.subject!),
  )
const work = (on = service) => runWaitingJobs(on)

/** Makes a member who agrees, with a browser that gets pushes and a confirmed mail address, or without. */
async function reader(
  nftaddr: string,
  has: { push?: boolean; mail?: boolean } = { push: true },
  on = service,
) {
  const address = newWallet()
  const member = await chatMember(on, nftaddr, address)
  const email = `${address}@example.org`
  if (has.push) await member.client.putPushSubscription({ body: pushService.subscribe(address) })
  const headers = { authorization: `Bearer ${adminApiKey}` }
  const payload = { walletaddr: address, email, notifydm: 'false' }
  if (has.mail) await on.app.inject({ method: 'POST', url: '/v1/update_settings', headers, payload })
  const agree = (announcements: boolean) =>
    member.client.setChatNotifications({ nftaddr, body: { tell: 'mentions', announcements } })
  const agreed = async () => (await member.client.getChatNotifications({ nftaddr })).announcements
  await agree(true)
  const pushes = () =>
    pushService.received.filter(({ endpoint }) => endpoint === address).map(({ push }) => push)
  return { ...member, email, agree, agreed, pushes, mails: () => mailsTo(email) }
}

async function newTown(members = 0) {
  const town = newName('town')
  const [owner, ...others] = await newCommunity(service, town, members)
  const announcing = () => owner.client.getAnnouncing({ nftaddr: town })
  const announce = async (message: string) => {
    const post = await owner.post(message)
    await owner.client.announcePost({ id: post.id })
    return post
  }
  /** Lets a day pass for the announcements of the town. */
  const tomorrow = async () => {
    await service.ctx.db.query('update push_marks set told_ms = told_ms - 86400000')
    await service.ctx.db.query(
      'update announcements set ms = ms - 86400000 where bucket = $1 and community = $2',
      [chatBucket(town), town.toLowerCase()],
    )
  }
  return { town, owner, others, announce, announcing, tomorrow }
}

const countsOf = async (community: string) => {
  const [row] = await service.ctx.db.query(
    `select agreed, reached, no_channel, gone, muted, had_read, stopped from announcements where bucket = $1 and community = $2`,
    [chatBucket(community), community.toLowerCase()],
  )
  return row
}
const none = { agreed: 0, reached: 0, no_channel: 0, gone: 0, muted: 0, had_read: 0, stopped: false }

test('who agreed is notified once by push and mail; the post has a mark for all; nobody else hears of it', async () => {
  const { town, owner, announce, announcing } = await newTown()
  const agreed = await reader(town, { push: true, mail: true })
  const [silent, alone] = [await reader(town), await reader(town, {})]
  await silent.agree(false)
  expect(await announcing()).toEqual({ agreed: 0 })
  const post = await announce('The vote begins')
  await work()
  await work(other)
  expect(agreed.pushes()).toMatchObject([
    { kind: 'announcement', title: town, url: `/c/${town}`, body: expect.stringContaining('announces') },
  ])
  const [mail, ...more] = agreed.mails()
  expect(more).toEqual([])
  expect(mail!.mail.subject).toBe('New announcement on chat.example.org')
  expect(mail!.mail.text).toContain(`There is a new announcement in ${town}.`)
  expect(mail!.mail.text).not.toContain('vote')
  expect(silent.pushes()).toEqual([])
  for (const one of [silent, alone, owner])
    expect((await one.read()).find(({ id }) => id === post.id)).toMatchObject({ announced: true })
  expect(await countsOf(town)).toEqual({ ...none, agreed: 2, reached: 1, no_channel: 1 })
  // Few wallets are not counted, so nobody learns what one of them has chosen.
  expect(await announcing()).toMatchObject({
    agreed: 0,
    next_at: expect.any(String),
    last: { id: post.id, done: true, announced_by: owner.address, agreed: 0, reached: 0, no_channel: 0 },
  })
})

test('the link of a mail and of a push ends the announcements of that chat with one request, and nothing else', async () => {
  const { town, announce } = await newTown()
  const second = (await newTown()).town
  const one = await reader(town, { push: true, mail: true })
  await one.client.joinChat({ body: { walletaddr: one.address, nftaddr: second } })
  await one.client.setChatNotifications({ nftaddr: second, body: { tell: 'all', announcements: true } })
  const chats = async () => (await one.client.listAnnouncingChats()).map(({ title }) => title)
  expect(await chats()).toEqual([town, second].toSorted())
  await announce('first')
  await work()
  const link = header(one.mails()[0]!, 'list-unsubscribe')!.slice(1, -1)
  expect(one.pushes()).toMatchObject([{ stop: link }])
  const url = link.slice(publicUrl.length)
  const post = (to: string) =>
    service.app.inject({
      method: 'POST',
      url: to,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
  // A scanner of mails opens each link, which changes nothing.
  const page = await service.app.inject({ url })
  expect(page.body).toContain(`announcements of ${town.toLowerCase()}`)
  expect(await one.agreed()).toBe(true)
  expect((await post(`${url.slice(0, -2)}AA`)).statusCode).toBe(404)
  for (let n = 0; n < 2; n++) expect((await post(url)).statusCode).toBe(200)
  expect(await one.agreed()).toBe(false)
  expect(await chats()).toEqual([second])
  expect(await one.client.getChatNotifications({ nftaddr: second })).toEqual({
    tell: 'all',
    announcements: true,
  })
})

test('to agree takes a member who may read; leaving and erasure end it, and an export has it', async () => {
  const { town, owner } = await newTown()
  const [member, banned] = [await reader(town), await reader(town)]
  const stranger = await service.as(newWallet())
  const yes = { nftaddr: town, body: { tell: 'mentions' as const, announcements: true } }
  await expect(stranger.setChatNotifications(yes)).rejects.toMatchObject({ status: 404 })
  await banned.agree(false)
  await owner.restrict(banned.address, { banned_until: 'forever' })
  await expect(banned.agree(true)).rejects.toMatchObject({ status: 403 })
  // What is left out stays.
  await member.client.setChatNotifications({ nftaddr: town, body: { tell: 'all' } })
  expect(await member.agreed()).toBe(true)
  const at = { walletaddr: member.address, nftaddr: town }
  await member.post('here')
  await member.client.leaveChat({ body: at })
  await member.client.joinChat({ body: at })
  expect(await member.agreed()).toBe(false)

  await member.agree(true)
  const { address } = member
  const archive = await new Response(await member.client.exportAccount({ address })).arrayBuffer()
  const files = await unzip(Buffer.from(archive))
  const visit = files
    .get('visits.jsonl')!
    .toString()
    .split('\n')
    .find((line) => line.includes(town))
  expect(JSON.parse(visit!)).toMatchObject({ announcements: true })
  await member.client.eraseAccount({ address })
  const left = await service.ctx.db.query(
    'select chat from group_visits where walletaddr = $1 and (announcements or joined)',
    [address],
  )
  expect(left).toEqual([])
})

test('the owner and moderators announce posts of their own of the last day, one in 24 hours with all rooms', async () => {
  const { town, owner, others, tomorrow, announcing } = await newTown(2)
  const [moderator, member] = others
  await owner.client.addModerator({ nftaddr: town, walletaddr: moderator.address })
  await owner.client.createRoom({ community: town, body: { room: 'news' } })
  const room = await reader(`${town}/news`)
  await expect(member.client.getAnnouncing({ nftaddr: town })).rejects.toMatchObject({ status: 403 })
  const [own, ofOwner] = [await member.post('mine'), await owner.post('of the owner')]
  await expect(member.client.announcePost({ id: own.id })).rejects.toMatchObject({ status: 403 })
  await expect(moderator.client.announcePost({ id: ofOwner.id })).rejects.toMatchObject({ status: 404 })
  const removed = await owner.post('removed')
  await owner.remove(removed.id)
  await expect(owner.client.announcePost({ id: removed.id })).rejects.toMatchObject({ status: 404 })
  // A refusal does not use the day up.
  expect(await announcing()).toEqual({ agreed: 0 })

  const body = { fromaddr: moderator.address, nftaddr: `${town}/news`, message: 'a meeting' }
  const [inRoom] = await moderator.client.postGroupMessage({ body })
  const asModerator = await other.as(moderator.address)
  const both = await Promise.allSettled([
    owner.client.announcePost({ id: ofOwner.id }),
    asModerator.announcePost({ id: inRoom!.id }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const { next_at } = await announcing()
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 409, message: expect.stringContaining(next_at!) },
  })
  await tomorrow()
  expect(await announcing()).not.toHaveProperty('next_at')
  const [next] = await moderator.client.postGroupMessage({ body })
  await asModerator.announcePost({ id: next!.id })
  await asModerator.announcePost({ id: next!.id })
  await work()
  expect(room.pushes().at(-1)).toMatchObject({ kind: 'announcement', title: `news · ${town}` })
  await tomorrow()
  const old = await owner.post('old')
  const { id } = old
  await service.ctx.db.query('update group_messages set ms = ms - 86400000 where bucket = $1 and id = $2', [
    chatBucket(town),
    id,
  ])
  await expect(owner.client.announcePost({ id })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('older than a day'),
  })
})

test('a block, a mute, a ban and leaving count at the moment of delivery; who has read it or follows every post hears once', async () => {
  const { town, owner, announce } = await newTown()
  const people = await Promise.all(Array.from({ length: 6 }, () => reader(town, { push: true, mail: true })))
  const [blocks, mutes, banned, left, reads, follows] = people
  await follows!.client.setChatNotifications({ nftaddr: town, body: { tell: 'all' } })
  const post = await announce('to all')
  await blocks!.client.setContact({ peer: owner.address, body: { state: 'blocked' } })
  await mutes!.client.muteChat({ nftaddr: town, body: { muted_until: 'forever' } })
  // Both wait behind the decision, of which the second is taken before the mail is sent.
  await service.ctx.db.query(`update graphile_worker._private_jobs set run_at = now() where key = $1`, [
    `announce ${post.id}`,
  ])
  await owner.restrict(banned!.address, { banned_until: 'forever' })
  await left!.client.leaveChat({ body: { walletaddr: left!.address, nftaddr: town } })
  await reads!.readTo(post.id)
  await work()
  await work()
  for (const one of [blocks, mutes, banned, left, reads])
    expect([...one!.pushes(), ...one!.mails()]).toEqual([])
  expect([follows!.pushes().length, follows!.mails().length]).toEqual([1, 1])
  expect(await countsOf(town)).toEqual({ ...none, agreed: 5, reached: 1, gone: 1, muted: 2, had_read: 1 })
})

test('the delivery ends when the post is removed, and when an operator stops it', async () => {
  const { town, owner, announce, announcing, tomorrow } = await newTown()
  const one = await reader(town, { push: true, mail: true })
  const post = await announce('a mistake')
  const jobs = (task: string) =>
    service.ctx.db.query(
      `select j.id from graphile_worker.jobs j where j.task_identifier = $1 and j.key like '%' || $2 || '%'`,
      [task, one.address],
    )
  smtp.refuse(451)
  await work()
  expect(await jobs('mail-notification')).toHaveLength(1)
  await owner.remove(post.id)
  smtp.accept()
  await service.ctx.db.query('update graphile_worker._private_jobs set run_at = now()')
  await service.runJobs()
  expect(one.mails()).toEqual([])
  await tomorrow()
  await announce('another mistake')
  const operator = newWallet()
  await addOperator(service, operator)
  const act = async (action: 'stop_announcements' | 'allow_announcements') =>
    (await service.as(operator)).act({ body: { action, subject: town, reason: 'spam' } })
  await act('stop_announcements')
  await work()
  expect(one.pushes()).toHaveLength(1)
  expect(await announcing()).toMatchObject({ forbidden: true, last: { stopped: true, done: true } })
  await tomorrow()
  await expect(announce('once more')).rejects.toMatchObject({ status: 403 })
  await act('allow_announcements')
  await announce('allowed')
  await work()
  expect(one.pushes()).toHaveLength(2)
})

test('how many agreed is counted once a minute for a chat', async () => {
  const { town, announcing } = await newTown()
  const agree = `insert into group_visits (bucket, chat, walletaddr, joined, announcements)
    select $1, $2, 'w' || gen_random_uuid(), true, true from generate_series(1, $3)`
  for (const count of [30, 200]) {
    await service.ctx.db.query(agree, [chatBucket(town), town.toLowerCase(), count])
    expect(await Promise.all([announcing(), announcing()])).toEqual([{ agreed: 20 }, { agreed: 20 }])
  }
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001)
  expect(await announcing()).toEqual({ agreed: 200 })
  clock.mockRestore()
})

test('a wallet that is muted unseen announces for itself alone, and notices nothing', async () => {
  const { town, owner, announce, announcing } = await newTown()
  const one = await reader(town)
  const operator = newWallet()
  await addOperator(service, operator)
  const body = { action: 'shadow_mute' as const, subject: owner.address, reason: 'spam' }
  await (await service.as(operator)).act({ body })
  const post = await announce('unseen')
  await expect(announce('again')).rejects.toMatchObject({ status: 409 })
  expect(await announcing()).toHaveProperty('next_at')
  await work()
  expect(one.pushes()).toEqual([])
  expect((await owner.read()).find(({ id }) => id === post.id)).toMatchObject({ announced: true })
})

test('in the chat of an NFT who has sold the token between agreeing and the announcement gets nothing', async () => {
  await using chain = await startChain()
  const hats = await chain.deploy('Tokens.sol', 'Hats', ['Fine Hats'])
  const nftaddr = hats.address
  await using gated = await startService({
    beside: service,
    rpcUrls: { [chain.chainId]: chain.url },
    privatePushHosts: [pushService.host],
    publicUrl,
  })
  const write = (functionName: string, args: unknown[]) => chain.write(hats, functionName, args)
  const [owner, seller] = [newWallet(), chain.client.account.address.toLowerCase()]
  await write('mint', [owner, 1n])
  await write('mint', [seller, 2n])
  await gated.ctx.db.query(
    `insert into chat_roles (bucket, chat, walletaddr, role, since_ms) values ($1, $2, $3, 'owner', 0)`,
    [chatBucket(nftaddr.toLowerCase()), nftaddr.toLowerCase(), owner],
  )
  const asSeller = await chatMember(gated, nftaddr, seller)
  await asSeller.client.putPushSubscription({ body: pushService.subscribe(seller) })
  const yes = { nftaddr, body: { tell: 'mentions' as const, announcements: true } }
  await asSeller.client.setChatNotifications(yes)
  const asStranger = await chatMember(gated, nftaddr)
  await expect(asStranger.client.setChatNotifications(yes)).rejects.toMatchObject({ status: 403 })
  const asOwner = await chatMember(gated, nftaddr, owner)
  await asOwner.client.announcePost({ id: (await asOwner.post('to holders')).id })
  await write('transferFrom', [seller, newWallet(), 2n])
  // What is known of a wallet counts for a minute.
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000)
  await runWaitingJobs(gated)
  clock.mockRestore()
  expect(pushService.received.filter(({ endpoint }) => endpoint === seller)).toEqual([])
  expect(
    await gated.ctx.db.query('select agreed, reached, gone from announcements where community = $1', [
      nftaddr.toLowerCase(),
    ]),
  ).toEqual([{ agreed: 1, reached: 0, gone: 1 }])
})

test('a kill in the middle loses nobody, counts nobody twice, and what is sent again has the same id', async () => {
  const { town, announce } = await newTown()
  const people = Array.from({ length: 230 }, () => newWallet()).toSorted()
  const mailed = people.filter((_, n) => n % 10 === 0)
  const { db } = service.ctx
  const chat = [chatBucket(town), town.toLowerCase()]
  await db.query(
    'insert into group_visits (bucket, chat, walletaddr, joined, announcements) select $1, $2, u.w, true, true from unnest($3::text[]) as u (w)',
    [...chat, people],
  )
  await db.query(
    `insert into settings (wbucket, walletaddr, id, email, verified)
     select u.b, u.w, 0, u.w || '@example.org', true from unnest($1::integer[], $2::text[]) as u (b, w)`,
    [mailed.map(walletBucket), mailed],
  )
  await announce('to a crowd')
  await db.query(`update graphile_worker._private_jobs set run_at = now()`)
  const sent = () => mailed.flatMap((one) => mailsTo(`${one}@example.org`))
  const killed = service.runJobs().catch(() => {})
  await vi.waitFor(() => expect(sent().length).toBeGreaterThan(3), { timeout: 60_000, interval: 5 })
  const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  await db.query(`select pg_terminate_backend(pid) ${others}`).catch(() => {})
  // A run of jobs may never end when its database goes away.
  await Promise.race([killed, sleep(6_000)])
  await vi.waitFor(() => db.query('select 1 as up'), { timeout: 30_000 })
  await db.query(
    `select graphile_worker.force_unlock_workers(array(select locked_by from graphile_worker._private_jobs where locked_by is not null
       union select locked_by from graphile_worker._private_job_queues where locked_by is not null)) as freed`,
  )
  for (let n = 0; n < 3; n++) {
    await db.query(`update graphile_worker._private_jobs set run_at = now()`)
    await other.runJobs()
  }
  expect(await countsOf(town)).toEqual({ ...none, agreed: 230, reached: 23, no_channel: 207 })
  const ids = new Map(sent().map(({ recipients: [to], mail }) => [mail.messageId, to]))
  expect(ids.size).toBe(23)
  expect(sent().length).toBeLessThanOrEqual(24)
}, 120_000)
