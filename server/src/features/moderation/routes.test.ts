import { contract } from '@parley/sdk/contract/index.ts'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { decodeJwt, SignJWT } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { listenTo } from '../../../../testing/service/event-listener.ts'
import { addOperator } from '../../../../testing/people/moderators.ts'
import {
  clientOf,
  newName,
  newToken,
  newWallet,
  type Service,
  startService,
  testSecret,
  useService,
} from '../../../../testing/service/service.ts'
import type { SanctionKind } from '../../auth/standing.ts'
import { openBrowser } from '../../../../testing/service/session-browser.ts'
import { auditLog, changeOperators } from './commands.ts'

const all = Object.entries<Endpoint>(contract)

const shared = useService()
const beside = useService({ beside: shared })

/** Makes an operator of a service. */
async function moderated(service = shared) {
  const operator = newWallet()
  await addOperator(service, operator)
  return { service, operator, asOperator: await service.as(operator) }
}

/** Returns what this operator has decided. */
const logOf = async ({ asOperator, operator }: Awaited<ReturnType<typeof moderated>>) =>
  (await asOperator.listModerationLog({})).filter((entry) => entry.operator === operator)

const act = (asOperator: Awaited<ReturnType<Service['as']>>, action: string, subject: string, more = {}) =>
  asOperator.act({ body: { action: action as 'warn', subject, reason: 'spam', ...more } })

/** Waits until an instance follows. */
const follows = (service: Service, wallet: string, kind: SanctionKind, is = true) =>
  expect.poll(() => service.ctx.standing.sanction(wallet, kind) !== undefined, { timeout: 5000 }).toBe(is)

const statusOf = async (service: Service, token: string, { method, path, produces }: Endpoint) => {
  const answer = await service.app.inject({
    method: produces === 'text/event-stream' ? 'HEAD' : method,
    url: path.replace(/\{\w+\}/g, '1'),
    headers: { authorization: `Bearer ${token}` },
  })
  return { status: answer.statusCode, type: answer.body ? answer.json().type : undefined }
}

test('what is for operators is refused to wallets, also as soon as one is removed', async () => {
  const t = await moderated()
  const forOperators = all.filter(([, { access }]) => access === 'operator')
  expect(forOperators.length).toBeGreaterThan(2)
  const [token, other] = [
    await newToken(t.service.ctx, t.operator),
    await newToken(t.service.ctx, newWallet()),
  ]
  for (const [name, endpoint] of forOperators) {
    expect((await statusOf(t.service, other, endpoint)).status, name).toBe(403)
    expect((await statusOf(t.service, token, endpoint)).status, name).not.toBe(403)
  }
  await changeOperators(t.service.databaseUrl, 'remove', t.operator)
  await expect.poll(() => t.service.ctx.standing.isOperator(t.operator), { timeout: 5000 }).toBe(false)
  for (const [name, endpoint] of forOperators)
    expect((await statusOf(t.service, token, endpoint)).status, name).toBe(403)
})

test('a decision takes a token that is less than an hour old; reading does not', async () => {
  const t = await moderated()
  const { ctx } = t.service
  const { publicUrl } = ctx.config
  const token = await new SignJWT({ jti: '1' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(t.operator)
    .setIssuer(publicUrl)
    .setAudience(publicUrl)
    .setIssuedAt('-61m')
    .setExpirationTime('1h')
    .sign(Buffer.from(testSecret))
  const client = clientOf(t.service.app, { token })
  await expect(act(client, 'warn', newWallet())).rejects.toMatchObject({
    code: 'old_sign_in',
    message: expect.stringContaining('from the last hour'),
  })
  expect(await logOf(t)).toEqual([])
})

test('renewing a token is no sign-in: after an hour a decision takes a signature again', async () => {
  const [browser, account] = [openBrowser(shared.app), privateKeyToAccount(generatePrivateKey())]
  const address = account.address.toLowerCase()
  await browser.signIn(account)
  expect(decodeJwt(browser.token())['operator']).toBe(undefined)
  await addOperator(shared, address)
  const warn = async () => {
    await browser.renew(address)
    return act(clientOf(shared.app, { token: browser.token() }), 'warn', newWallet())
  }
  await warn()
  expect(decodeJwt(browser.token())['operator']).toBe(true)
  await shared.ctx.db.query('update sessions set created_ms = created_ms - 3600000')
  await expect(warn()).rejects.toMatchObject({ code: 'old_sign_in', status: 403 })
  await browser.signIn(account)
  await warn()
})

test('a muted wallet reads and does not write, on every instance, until the mute ends or is lifted', async () => {
  const t = await moderated()
  const wallet = newWallet()
  await act(t.asOperator, 'mute', wallet, { until: new Date(Date.now() + 3_600_000).toISOString() })
  // On the instance that decided, it counts at once.
  const [seen] = await t.asOperator.getSubject({ address: wallet })
  expect(seen!.sanctions).toMatchObject([{ kind: 'mute' }])
  for (const service of [t.service, beside]) {
    await follows(service, wallet, 'mute')
    for (const [name, endpoint] of all) {
      const { type } = await statusOf(service, await newToken(service.ctx, wallet), endpoint)
      expect(type === '/docs/errors#sanctioned', name).toBe(
        // A hook is known by its secret: incoming-hooks/routes.test.ts.
        endpoint.publishes === true && !endpoint.byHook,
      )
    }
  }
  const asWallet = await beside.as(wallet)
  // It is a bot by now, which may write to itself.
  const send = () => asWallet.sendDirectMessage({ body: { fromaddr: wallet, toaddr: wallet, message: 'gm' } })
  await expect(send()).rejects.toMatchObject({
    code: 'sanctioned',
    message: expect.stringMatching(/muted .* until 20/),
  })
  expect(await asWallet.getInbox({ address: wallet })).toEqual([])
  await act(t.asOperator, 'lift', wallet)
  await follows(beside, wallet, 'mute', false)
  expect(await send()).toHaveLength(1)
  // This one ends by itself.
  await act(t.asOperator, 'mute', wallet, { until: new Date(Date.now() + 3000).toISOString() })
  await follows(beside, wallet, 'mute')
  await follows(beside, wallet, 'mute', false)
  expect(await send()).toHaveLength(1)
})

test('a banned wallet may do what the contract leaves to it, and nothing else; its streams end', async () => {
  const t = await moderated()
  const wallet = newWallet()
  await using stream = await listenTo(t.service, wallet)
  await act(t.asOperator, 'ban', wallet)
  await follows(t.service, wallet, 'ban')
  await stream.ends()
  expect(stream.events()).toMatchObject([{ type: 'notice', action: 'ban' }])
  const open = all.filter(([, { whenBanned }]) => whenBanned).map(([name]) => name)
  expect(open.toSorted()).toEqual(
    [
      'createReport',
      'deleteApiKey',
      'deleteIncomingHook',
      'endSession',
      'eraseAccount',
      'exportAccount',
      'listApiKeys',
      'listIncomingHooks',
      'listNotices',
      'listOwnReports',
      'listSanctions',
      'listSessions',
      'signOut',
      'signOutEverywhere',
    ].toSorted(),
  )
  for (const [name, endpoint] of all.filter(([, { access }]) => access !== 'public')) {
    const { status, type } = await statusOf(t.service, await newToken(t.service.ctx, wallet), endpoint)
    if (endpoint.access === 'operator' || endpoint.produces)
      expect(status === 403 || endpoint.whenBanned, name).toBe(true)
    else expect(type === '/docs/errors#sanctioned', name).toBe(!endpoint.whenBanned)
  }
  // Erasing its account does not end a ban.
  await (await t.service.as(wallet)).eraseAccount({ address: wallet })
  await expect((await t.service.as(wallet)).getInbox({ address: wallet })).rejects.toMatchObject({
    code: 'sanctioned',
  })
})

test('the wallet is told what was done and why, and not of notes; the log says who did it', async () => {
  await using own = await startService()
  const t = await moderated(own)
  const wallet = newWallet()
  const asWallet = await t.service.as(wallet)
  await asWallet.setName({ body: { address: wallet, name: 'Shouter' } })
  await using stream = await listenTo(t.service, wallet)
  await act(t.asOperator, 'note', wallet, { reason: 'looks like the one of last week' })
  await act(t.asOperator, 'warn', wallet, { reason: 'no links to strangers' })
  await act(t.asOperator, 'remove_name', wallet, { reason: 'shouting' })
  await stream.receives(2)
  expect(stream.events()).toEqual([
    { type: 'notice', action: 'warn' },
    { type: 'notice', action: 'remove_name' },
  ])
  expect((await asWallet.listNotices()).map(({ action, reason }) => [action, reason])).toEqual([
    ['remove_name', 'shouting'],
    ['warn', 'no links to strangers'],
  ])
  expect(await asWallet.getName({ name: wallet })).toEqual([])
  const [subject] = await t.asOperator.getSubject({ address: wallet })
  expect(subject).toMatchObject({ address: wallet, name: '', sanctions: [] })
  expect(subject!.history.map(({ action }) => action)).toEqual(['remove_name', 'warn', 'note'])
  const log = await t.asOperator.listModerationLog({})
  expect(log).toEqual(subject!.history)
  expect(new Set(log.map(({ operator }) => operator))).toEqual(new Set([t.operator]))
  expect(await t.service.anonymous.countModeration()).toEqual({
    actions: { note: 1, remove_name: 1, warn: 1 },
    log_id: 3,
    log_hash: log[0]!.hash,
  })
})

test('tokens that are revoked are no longer valid', async () => {
  const t = await moderated()
  const wallet = newWallet()
  const asWallet = await t.service.as(wallet)
  await act(t.asOperator, 'revoke_tokens', wallet)
  await expect(asWallet.getInbox({ address: wallet })).rejects.toMatchObject({ code: 'unauthorized' })
})

test('an end in the past, an end of what has none, and an operator as subject are refused', async () => {
  const t = await moderated()
  const past = { until: '2020-01-01T00:00:00.000Z' }
  const later = { until: new Date(Date.now() + 9e6).toISOString() }
  await expect(act(t.asOperator, 'mute', newWallet(), past)).rejects.toMatchObject({ code: 'bad_request' })
  await expect(act(t.asOperator, 'warn', newWallet(), later)).rejects.toMatchObject({ code: 'bad_request' })
  await expect(act(t.asOperator, 'ban', t.operator)).rejects.toMatchObject({ code: 'bad_request' })
  expect(await logOf(t)).toEqual([])
})

test('decisions of many at the same moment are in one chain, and a repeated one is there once', async () => {
  const t = await moderated()
  const { rows: before } = await auditLog(t.service.databaseUrl, undefined, () => {})
  await expect.poll(() => beside.ctx.standing.isOperator(t.operator), { timeout: 5000 }).toBe(true)
  const asOther = await beside.as(t.operator)
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => act(i % 2 ? asOther : t.asOperator, 'note', newWallet())),
  )
  const retried = clientOf(t.service.app, { token: await newToken(t.service.ctx, t.operator) })
  const body = { action: 'warn' as const, subject: newWallet(), reason: 'twice' }
  const [first, second] = [
    await retried.act({ body }, { idempotencyKey: 'one' }),
    await retried.act({ body }, { idempotencyKey: 'one' }),
  ]
  expect(second).toEqual(first)
  expect(await auditLog(t.service.databaseUrl, undefined, () => {})).toMatchObject({
    wrong: undefined,
    rows: before + 21,
  })
})

test('a row of the log that is changed, added between, or taken out is found; with a noted hash also at the end', async () => {
  await using own = await startService()
  const t = await moderated(own)
  const audit = (noted?: string) => auditLog(t.service.databaseUrl, noted, () => {})
  expect(await audit()).toEqual({ wrong: undefined, rows: 0, hash: '' })
  for (let n = 0; n < 5; n++) await act(t.asOperator, 'note', newWallet(), { reason: `n${n}` })
  const whole = await audit()
  expect(whole).toMatchObject({ wrong: undefined, rows: 5 })
  expect(await audit(whole.hash)).toMatchObject({ wrong: undefined })
  const { db } = t.service.ctx
  const changed = async (change: string, undo: string, noted?: string) => {
    await db.query(change)
    const { wrong } = await audit(noted)
    for (const one of undo.split(';')) await db.query(one)
    return wrong
  }
  expect(
    await changed(
      `update moderation_log set reason = 'n9' where id = 3`,
      `update moderation_log set reason = 'n2' where id = 3`,
    ),
  ).toContain('row 3 was changed')
  expect(
    await changed(
      `update moderation_log set id = id + 100 where id = 2`,
      `update moderation_log set id = 2 where id = 102`,
    ),
  ).toContain('row 2 is missing')
  // A person with write access to the database can also move the end of the chain: then only a noted hash shows it.
  await db.query('delete from moderation_log where id = 5')
  expect((await audit()).wrong).toContain('ends at row 4')
  await db.query('update moderation_head set id = 4, hash = (select hash from moderation_log where id = 4)')
  expect((await audit()).wrong).toBeUndefined()
  expect((await audit(whole.hash)).wrong).toContain('no row has the hash')
})

test('a wallet that is shadow-muted cannot tell; its messages reach nobody, until that is lifted', async () => {
  const t = await moderated()
  const [peer, town] = [newWallet(), newWallet()]
  const asPeer = await t.service.as(peer)
  await asPeer.joinChat({ body: { walletaddr: peer, nftaddr: town } })
  await using atPeer = await listenTo(t.service, peer)
  const play = async (wallet: string) => {
    const client = await t.service.as(wallet)
    const said = { fromaddr: wallet, toaddr: peer, message: 'gm' }
    await using own = await listenTo(t.service, wallet)
    const sent = [
      await client.sendDirectMessage({ body: said }, { idempotencyKey: 'one' }),
      await client.sendDirectMessage({ body: said }, { idempotencyKey: 'one' }),
      await client.sendDirectMessage({ body: { ...said, toaddr: wallet } }),
      await client.joinChat({ body: { walletaddr: wallet, nftaddr: town } }),
      await client.postGroupMessage({ body: { fromaddr: wallet, nftaddr: town, message: 'hello' } }),
    ]
    await client.sendTyping({ body: { fromaddr: wallet, toaddr: peer } })
    const pair = { fromaddr: wallet, toaddr: peer, query: {} }
    await own.receives(4)
    const seen = {
      sent,
      events: own.events(),
      inbox: await client.getInbox({ address: wallet }),
      list: await client.listConversation(pair),
      posts: (await client.listGroupMessages({ address: town, useraddress: wallet })).filter(
        ({ fromaddr }) => fromaddr === wallet,
      ),
      all: await client.listDirectMessages({ address: wallet, query: {} }),
      unread: await client.countUnread({ address: wallet }),
      notices: await client.listNotices(),
      sanctions: await client.listSanctions(),
    }
    // The text is the same for both except for what differs in every message.
    return JSON.parse(
      JSON.stringify(seen)
        .replaceAll(wallet, 'me')
        .replaceAll(/"(id|timestamp|timestamp_dtm|date\w*|\w*time\w*)":("[^"]*"|\d+)/g, '"$1":0'),
    ) as unknown
  }
  const [shadowed, other] = [newWallet(), newWallet()]
  await act(t.asOperator, 'shadow_mute', shadowed)
  await follows(t.service, shadowed, 'shadow_mute')
  expect(await play(shadowed)).toEqual(await play(other))
  const atAll = async () =>
    (await asPeer.listDirectMessages({ address: peer, query: {} })).map(({ fromaddr }) => fromaddr)
  expect(await atAll()).toEqual([other])
  expect(await asPeer.getInbox({ address: peer })).toHaveLength(2)
  expect(await asPeer.countUnreadTotal({ address: peer })).toBe(2)
  const posted = await asPeer.listGroupMessages({ address: town, useraddress: peer })
  expect(posted.map(({ fromaddr }) => fromaddr)).toEqual([other])
  expect(JSON.stringify(atPeer.events())).not.toContain(shadowed)
  expect(await t.asOperator.getSubject({ address: shadowed })).toMatchObject([
    { sanctions: [{ kind: 'shadow_mute' }] },
  ])
  await act(t.asOperator, 'shadow_lift', shadowed)
  await follows(t.service, shadowed, 'shadow_mute', false)
  const asShadowed = await t.service.as(shadowed)
  await asShadowed.sendDirectMessage({ body: { fromaddr: shadowed, toaddr: peer, message: 'back' } })
  expect(await atAll()).toEqual([other, shadowed])
  expect(await asShadowed.listNotices()).toEqual([])
})

test('a chat that is closed takes no posts on any instance, and is read; it can be opened again', async () => {
  const t = await moderated()
  const [wallet, town] = [newWallet(), newName('Town')]
  const asWallet = await beside.as(wallet)
  await asWallet.createCommunity({ body: { community: town } })
  const post = () =>
    asWallet.postCommunityMessage({ body: { fromaddr: wallet, nftaddr: town, message: 'gm' } })
  await post()
  await act(t.asOperator, 'close_chat', town)
  await follows(beside, town.toLowerCase(), 'close')
  await expect(post()).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('closed'),
  })
  expect(await asWallet.listGroupMessages({ address: town, useraddress: wallet })).toHaveLength(1)
  expect(await t.asOperator.getSubject({ address: town })).toMatchObject([
    { sanctions: [{ kind: 'close' }], history: [{ action: 'close_chat' }] },
  ])
  await act(t.asOperator, 'open_chat', town)
  await follows(beside, town.toLowerCase(), 'close', false)
  await post()
})

test('who became an operator, and who is none any more, is in the log', async () => {
  const t = await moderated()
  const wallet = newWallet()
  const change = (what: string) => changeOperators(t.service.databaseUrl, what, wallet)
  const lines = [await change('add'), await change('add'), await change('list'), await change('remove')]
  expect(lines).toEqual([
    `${wallet} is an operator, in a few seconds.`,
    `${wallet} was an operator already.`,
    expect.stringContaining(`${wallet} since 20`),
    `${wallet} is no operator any more, in a few seconds.`,
  ])
  await act(t.asOperator, 'note', newWallet())
  expect(await t.asOperator.listModerationLog({ query: { limit: 3 } })).toMatchObject([
    { action: 'note', operator: t.operator },
    { action: 'operator_remove', operator: 'command-line', subject: wallet },
    { action: 'operator_add', operator: 'command-line', subject: wallet },
  ])
  expect(await auditLog(t.service.databaseUrl, undefined, () => {})).toMatchObject({ wrong: undefined })
})
