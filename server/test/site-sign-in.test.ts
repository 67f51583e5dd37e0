// Another site signs a wallet in with scopes: what it may ask for, what its token may never do, who sees it and who ends it.

import { signInWith, type ServiceEvent } from '@parley/sdk'
import { narrowScope, scopeStatement, signInText } from '@parley/sdk/sign-in-text.ts'
import { decodeJwt } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { listenTo } from '../../testing/service/event-listener.ts'
import { clientOf, injectInto, newName, newWallet, useService } from '../../testing/service/service.ts'

const shop = { domain: 'shop.example', uri: 'https://shop.example/item/7?from=mail#top' }
const service = useService({
  publicUrl: 'https://chat.example.org',
  allowedDomains: ['chat.example.org', 'own.example'],
  embedOrigins: ['https://shop.example', 'https://both.example:8443'],
  corsOrigins: ['https://own.example', 'https://shop.example'],
  refreshEvery: 100,
})
const other = useService({ beside: service, refreshEvery: 100 })

const newAccount = () => privateKeyToAccount(generatePrivateKey())
type Account = ReturnType<typeof newAccount>

/** Sends a sign-in with a text that a page has made, and returns the response. */
async function send(account: Account, write: (text: string) => string, more: object = {}, place = shop) {
  const { nonce } = await service.anonymous.getNonce({ address: account.address })
  const scopes: string[] | undefined = 'scopes' in more ? (more.scopes as string[]) : undefined
  const text = signInText({ ...place, address: account.address, nonce, ...(scopes && { scopes }) })
  const msg = write(text)
  const sig = await account.signMessage({ message: msg })
  const { scopes: _, ...fields } = more as { scopes?: string[] }
  return service.app.inject({
    method: 'POST',
    url: '/signin',
    payload: { address: account.address, msg, sig, ...fields },
    headers: { origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' },
  })
}
const asIs = (text: string) => text

async function signIn(account: Account, ...scopes: string[]) {
  const answer = await send(account, asIs, { scopes })
  expect(answer.statusCode, answer.body).toBe(200)
  const token = String(answer.headers['authorization']).slice('Bearer '.length)
  return { token, client: clientOf(service.app, { token }), answer }
}

const problemOf = (answer: Awaited<ReturnType<typeof send>>) => [
  answer.statusCode,
  answer.json().errors?.[0]?.detail ?? answer.json().detail,
]

test('a site signs a wallet in to one conversation: it reads and writes there, and nowhere else', async () => {
  const [account, seller, stranger] = [newAccount(), newWallet(), newWallet()]
  const me = account.address.toLowerCase()
  const all = await service.as(me)
  await all.sendDirectMessage({ body: { fromaddr: me, toaddr: stranger, message: 'a secret' } })
  const { client, token, answer } = await signIn(account, `dm:${seller}`)
  expect(answer.headers['access-control-allow-origin']).toBe('https://shop.example')
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(decodeJwt(token)).toMatchObject({ scope: `dm:${seller}` })

  // It may write first.
  const body = { fromaddr: me, toaddr: seller, message: 'Is it still for sale?' }
  const [sent] = await client.sendDirectMessage({ body })
  await (
    await service.as(seller)
  ).sendDirectMessage({
    body: { fromaddr: seller, toaddr: me, message: 'Yes' },
  })
  const read = await client.listConversation({ fromaddr: seller, toaddr: me })
  expect(read.map(({ message }) => message)).toEqual([body.message, 'Yes'])
  expect(await client.countUnreadOfConversation({ fromaddr: seller, toaddr: me })).toBe(1)
  await client.markReadTo({ addr: seller, body: { id: read[1]!.id, context_type: 'dm' } })
  expect(await client.countUnreadOfConversation({ fromaddr: me, toaddr: seller })).toBe(0)

  const refused = { status: 403, code: 'forbidden' }
  for (const call of [
    () => client.sendDirectMessage({ body: { ...body, toaddr: stranger } }),
    () => client.listConversation({ fromaddr: me, toaddr: stranger }),
    () => client.listConversation({ fromaddr: stranger, toaddr: me }),
    () => client.getInbox({ address: me }),
    () => client.countUnread({ address: me }),
    () => client.listSessions({ address: me }),
    () => client.createApiKey({ body: { label: 'more', scopes: ['inbox:read'] } }),
    () => client.deleteDirectMessage({ id: sent!.id }),
    () => client.exportAccount({ address: me }),
    () => client.eraseAccount({ address: me }),
    () => client.signOutEverywhere(),
  ])
    await expect(call()).rejects.toMatchObject(refused)
  await expect(client.getInbox({ address: me })).rejects.toThrow(`This one has dm:${seller}.`)
})

test('a chat and the comments on an NFT: the site does there what its visitor has signed', async () => {
  const [account, name, contract] = [newAccount(), newName('Town'), newWallet()]
  const me = account.address.toLowerCase()
  const founder = newWallet()
  const asFounder = await service.as(founder)
  await asFounder.createCommunity({ body: { community: name } })
  await asFounder.joinChat({ body: { walletaddr: founder, nftaddr: name } })
  const { client } = await signIn(account, narrowScope('chat:<chat>', name), `comments:${contract}:7`)
  await client.joinChat({ body: { walletaddr: me, nftaddr: name.toUpperCase() } })
  await client.postGroupMessage({ body: { fromaddr: me, nftaddr: name, message: 'hello' } })
  const posts = await client.listGroupMessages({ address: name, useraddress: me })
  expect(posts.map(({ message }) => message)).toEqual(['hello'])
  const comment = { fromaddr: me, nftaddr: contract, message: 'nice' }
  await client.createComment({ body: { ...comment, nftid: 7 } })
  expect(await client.listComments({ nftaddr: contract, nftid: 7 })).toMatchObject([{ message: 'nice' }])
  for (const call of [
    () => client.createComment({ body: { ...comment, nftid: 8 } }),
    () => client.listComments({ nftaddr: contract, nftid: 70 }),
    () => client.joinChat({ body: { walletaddr: me, nftaddr: contract } }),
    () => client.leaveChat({ body: { walletaddr: me, nftaddr: name } }),
    () => client.postGroupMessage({ body: { fromaddr: me, nftaddr: contract, message: 'hello' } }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 403 })
})

test('the text says in words what the resources say; one that does not is refused with the right words', async () => {
  const account = newAccount()
  const peer = newWallet()
  const scopes = [`dm:${peer}`]
  const words = scopeStatement('shop.example', scopes)
  expect(words).toBe(
    `Lets shop.example use Parley as you for 24 hours, for this alone: read your messages with ${peer} and write to them as you.`,
  )
  const texts: [string, (text: string) => string][] = [
    [words, (text) => text.replace(words, 'Sign in to Parley.')],
    [words, (text) => text.replace(`with ${peer} and write to them as you`, `with ${peer}`)],
    [words, (text) => text.replace(`Parley as you`, `Parley  as you`)],
    [words, (text) => text.replace(`${words}\n`, '')],
    ['no resource', (text) => text.replace(/\nResources:[^]*/, '')],
    ['no other resources', (text) => `${text}\n- https://shop.example/terms`],
    ['10 scopes at most', (text) => text + `\n- parley:scope:dm:${peer}`.repeat(10)],
  ]
  for (const [detail, write] of texts)
    expect(problemOf(await send(account, write, { scopes })), write.toString()).toEqual([
      400,
      expect.stringContaining(detail),
    ])
})

test.each([
  'parley:scope:erase',
  'parley:scope:',
  'parley:all',
  'parley:scope:dm',
  'parley:scope:dm:',
  'parley:scope:dm:bob',
  'parley:scope:dm:0x12',
  'parley:scope:dm:erase',
  'parley:scope:chat',
  'parley:scope:comments:0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb',
  'parley:scope:comments:0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb:07',
  'parley:scope:comments:0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb:x',
  'parley:scope:draft:write',
  'parley:scope:chat:Town:admin',
  'PARLEY:scope:public:read',
  'parley:SCOPE:public:read',
  'parley:scope:public%3Aread',
  'parley:scope:public:read,inbox:read',
  'parley:scope:%E0%A4%A',
  'parley:scope:__proto__',
  'parley:scope:dm:<address>',
])('%s is no scope: 400, also from a site that may ask for all', async (resource) => {
  for (const place of [shop, { domain: 'own.example', uri: 'https://own.example' }]) {
    const write = (text: string) => text.replace('parley:scope:public:read', resource)
    const answer = await send(newAccount(), write, { scopes: ['public:read'] }, place)
    // EIP-4361 has no < in a URI, and no % without two digits.
    if (/[<]|%A$/.test(resource)) expect(answer.statusCode).toBe(401)
    else expect(problemOf(answer)).toEqual([400, expect.stringContaining('no scope that a site may ask for')])
  }
})

test('a site of EMBED_ORIGINS gets scoped tokens alone, and only for its own exact origin', async () => {
  const scopes = ['public:read']
  expect(problemOf(await send(newAccount(), asIs))).toEqual([
    400,
    expect.stringContaining('https://shop.example may ask for scopes alone'),
  ])
  const places: [number, string, string, object][] = [
    [200, 'own.example', 'https://own.example', {}],
    [200, 'own.example', 'https://own.example/page', { scopes }],
    [200, 'both.example:8443', 'https://both.example:8443', { scopes }],
    [401, 'both.example', 'https://both.example', { scopes }],
    [401, 'shop.example', 'http://shop.example', { scopes }],
    [401, 'shop.example', 'https://chat.example.org', { scopes }],
    [401, 'chat.example.org', 'https://shop.example', { scopes }],
    [401, 'shop.example:444', 'https://shop.example:444', { scopes }],
    [401, 'evil.example', 'https://evil.example', { scopes }],
    [401, 'shop.example.evil.example', 'https://shop.example.evil.example', { scopes }],
    [401, 'evil.example', 'https://evil.example', {}],
  ]
  for (const [status, domain, uri, more] of places)
    expect([domain, uri, (await send(newAccount(), asIs, more, { domain, uri })).statusCode]).toEqual([
      domain,
      uri,
      status,
    ])
  // A text that is not EIP-4361 has no scopes, and a person who reads one does not sign in to everything.
  const free = (text: string) => `chat.example.org ${/Nonce: (\w+)/.exec(text)![1]} parley:scope:public:read`
  expect(problemOf(await send(newAccount(), free))).toEqual([400, expect.stringContaining('EIP-4361')])
})

test('a text with scopes names one site: none is shown to the wallet or in the sessions under the name of another', async () => {
  const more = { scopes: ['public:read'] }
  const origins = async (places: [string, string], from = '') => {
    const account = newAccount()
    const address = account.address.toLowerCase()
    const [domain, uri] = places
    const answer = await send(account, (text) => from + text, more, { domain, uri })
    const listed = await (await service.as(address)).listSessions({ address })
    return [...problemOf(answer), ...listed.map(({ origin }) => origin)]
  }
  const refused = (domain: string) => [
    400,
    `The URI of a text with scopes is a page of the site that asks: of ${domain}.`,
  ]
  expect(await origins(['own.example', 'https://chat.example.org/'])).toEqual(refused('own.example'))
  expect(await origins(['chat.example.org', 'https://own.example/'])).toEqual(refused('chat.example.org'))
  // A site of EMBED_ORIGINS may name no other site at all.
  for (const uri of [
    'https://both.example:8443',
    'https://chat.example.org',
    'https://shop.example@own.example',
  ])
    expect((await origins(['shop.example', uri]))[0]).toBe(401)
  expect(await origins(['OWN.example', 'https://own.EXAMPLE/page'], 'https://')).toEqual([
    200,
    undefined,
    'https://own.example',
  ])
})

test('a sign-in with scopes is not renewed, names nobody, and is refused with a session', async () => {
  const account = newAccount()
  const address = account.address.toLowerCase()
  const answer = await send(account, asIs, { scopes: ['public:read'], name: newName('ann') })
  expect(answer.statusCode).toBe(200)
  expect(await (await service.as(address)).getName({ name: address })).toEqual([])
  const { nonce } = await service.anonymous.getNonce({ address })
  const place = { domain: 'chat.example.org', uri: 'https://chat.example.org' }
  const msg = signInText({ ...place, address: account.address, nonce, scopes: ['public:read'] })
  const refused = await service.app.inject({
    method: 'POST',
    url: '/signin',
    headers: { 'sec-fetch-site': 'same-origin' },
    payload: { address, msg, sig: await account.signMessage({ message: msg }), session: true },
  })
  expect(problemOf(refused)).toEqual([400, expect.stringContaining('is not renewed')])
  expect(refused.headers['set-cookie']).toBeUndefined()
})

test('the sessions say which site may do what, and end it on every instance; so does signing out everywhere', async () => {
  const account = newAccount()
  const address = account.address.toLowerCase()
  const peer = newWallet()
  const [one, two, three] = [
    await signIn(account, `dm:${peer.toUpperCase().replace('0X', '0x')}`, 'public:read'),
    await signIn(account, 'chat:Town:read'),
    await signIn(account, 'public:read'),
  ]
  const owner = await service.as(address)
  const listed = await owner.listSessions({ address })
  expect(listed).toMatchObject([
    { origin: 'https://shop.example', scopes: ['public:read'], current: false },
    { scopes: ['chat:Town:read'] },
    { scopes: [`dm:${peer}`, 'public:read'] },
  ])
  expect(Date.parse(listed[0]!.expires_at!) - Date.now()).toBeGreaterThan(86_000_000)
  const statusOf = async ({ token }: { token: string }, on = service) =>
    (await on.app.inject({ url: '/v1/communities', headers: { authorization: `Bearer ${token}` } }))
      .statusCode
  expect([await statusOf(one), await statusOf(two), await statusOf(three)]).toEqual([200, 403, 200])
  await owner.endSession({ address, session: listed[2]!.id })
  expect(await statusOf(one)).toBe(401)
  await expect.poll(() => statusOf(one, other), { timeout: 5000 }).toBe(401)
  // A site may end its own sign-in.
  await three.client.signOut()
  expect([await statusOf(three), await statusOf(two)]).toEqual([401, 403])
  expect(await owner.listSessions({ address })).toMatchObject([{ scopes: ['chat:Town:read'] }])
  await owner.signOutEverywhere()
  expect(await statusOf(two)).toBe(401)
  await expect.poll(() => statusOf(two, other), { timeout: 5000 }).toBe(401)
  expect(await (await service.as(address)).listSessions({ address })).toEqual([])
})

test('of more than twenty sites the oldest ends, and no browser', async () => {
  const account = newAccount()
  const address = account.address.toLowerCase()
  const first = await signIn(account, 'public:read')
  for (let n = 0; n < 20; n++) await signIn(account, 'public:read')
  await expect(first.client.listCommunities({})).rejects.toMatchObject({ status: 401 })
  expect(await (await service.as(address)).listSessions({ address })).toHaveLength(20)
})

const embedded = useService({ embedOrigins: ['https://shop.example'] })

test('a stream of a site has its conversation and chat, live and missed, and nothing else of the wallet', async () => {
  const [account, seller, stranger, chat, elsewhere] = [
    newAccount(),
    newWallet(),
    newWallet(),
    newName('town'),
    newName('else'),
  ]
  const me = account.address.toLowerCase()
  const [mine, theirs, others] = [
    await embedded.as(me),
    await embedded.as(seller),
    await embedded.as(stranger),
  ]
  for (const community of [chat, elsewhere]) {
    await others.createCommunity({ body: { community } })
    for (const [client, walletaddr] of [[others, stranger] as const, [mine, me] as const])
      await client.joinChat({ body: { walletaddr, nftaddr: community } })
  }
  const { token } = await signInWith(
    { baseUrl: '', fetch: injectInto(embedded.app) },
    {
      address: account.address,
      signMessage: (message) => account.signMessage({ message }),
      createMessage: ({ nonce }) =>
        signInText({
          ...shop,
          address: account.address,
          nonce,
          scopes: [`dm:read:${seller}`, `chat:${chat}`],
        }),
    },
  )
  const noise = async () => {
    const [secret] = await others.sendDirectMessage({
      body: { fromaddr: stranger, toaddr: me, message: 'a secret' },
    })
    const note = await mine.sendDirectMessage({ body: { fromaddr: me, toaddr: stranger, message: 'mine' } })
    await mine.sendDirectMessage({ body: { fromaddr: me, toaddr: me, message: 'a note' } })
    await mine.markReadTo({ addr: stranger, body: { id: secret!.id, context_type: 'dm' } })
    await mine.react({ id: secret!.id, body: { values: ['👍'] } })
    await mine.deleteDirectMessage({ id: note[0]!.id })
    await mine.setContact({ peer: seller, body: { alias: 'the seller' } })
    await others.postGroupMessage({ body: { fromaddr: stranger, nftaddr: elsewhere, message: 'elsewhere' } })
    await others.sendTyping({ body: { fromaddr: stranger, toaddr: me } })
    await others.sendTyping({ body: { fromaddr: stranger, nftaddr: elsewhere } })
  }
  const [begin] = await theirs.sendDirectMessage({
    body: { fromaddr: seller, toaddr: me, message: 'first' },
  })
  let reacted = ''
  const signal = async () => {
    const [sent] = await theirs.sendDirectMessage({
      body: { fromaddr: seller, toaddr: me, message: 'to me' },
    })
    await mine.sendDirectMessage({ body: { fromaddr: me, toaddr: seller, message: 'from me' } })
    await others.postGroupMessage({ body: { fromaddr: stranger, nftaddr: chat, message: 'in the chat' } })
    await mine.markReadTo({ addr: seller, body: { id: sent!.id, context_type: 'dm' } })
    await theirs.react({ id: begin!.id, body: { values: [(reacted = reacted === '👍' ? '👎' : '👍')] } })
  }
  const kinds = (events: ServiceEvent[]) =>
    events.map((event) => ('item' in event ? event.item.message : event.type))
  const wanted = ['from me', 'in the chat', 'reacted', 'read-to', 'to me']

  await using everything = await listenTo(embedded, me)
  await using live = await listenTo(embedded, me, { token })
  await noise()
  await signal()
  await theirs.sendTyping({ body: { fromaddr: seller, toaddr: me } })
  await expect.poll(() => kinds(live.events()).toSorted()).toEqual([...wanted, 'typing'].toSorted())
  await expect.poll(() => kinds(everything.events())).toContain('a secret')
  expect(kinds(everything.events())).toContain('contact')

  const { lastId } = everything.state
  await noise()
  await signal()
  await using missed = await listenTo(embedded, me, { token, lastEventId: lastId!.split('.')[0] })
  await expect.poll(() => kinds(missed.events()).toSorted()).toEqual(wanted)
})
