// Whatever a wallet shows to others it may show when it shows it. For every endpoint of the contract that takes a text or a picture:
// where others read what was written, the endpoint publishes, which its entry in the contract says; and nothing of it is read by
// others when its author is muted, banned or muted unseen, or is kept out of the chat, or the chat was taken down.

import { contract } from '@parley/sdk/contract/index.ts'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatMember } from '../../testing/people/chat-members.ts'
import { listenTo } from '../../testing/service/event-listener.ts'
import { newApiKeyOf, newHookOf } from '../../testing/people/secrets.ts'
import { addOperator } from '../../testing/people/moderators.ts'
import {
  type Call,
  callOf,
  type EndpointName,
  type Known,
  readAll,
  send,
  signInCall,
  token,
  type Values,
  refusedAlone,
  writing,
} from '../../testing/cases/published.ts'
import { newWallet, type Service, useService } from '../../testing/service/service.ts'
import { newBrowser, nowhere } from '../../testing/people/push-browser.ts'
import { startReceiver } from '../../testing/outside/webhook-receiver.ts'
import { findInvitation } from '../src/features/public-pages/invitation.ts'

/** What others read of these a muted wallet goes on writing, and why. */
const goesOn: Partial<Record<EndpointName, string>> = {
  publishKey:
    'a key with which others write to it: what they write would be lost to it, and the service reads none of it',
  removePost: 'a wallet takes back what it has posted; its handler asks where it moderates and says why',
  signIn: 'everybody may sign in: the name is left out',
}
/** What a wallet that is muted unseen goes on writing, and why. */
const goesOnUnseen: Partial<Record<EndpointName, string>> = {
  publishKey: goesOn.publishKey!,
  setChatRules: 'words that posts are compared with; moderators alone read them, whom the wallet has chosen',
}

let receiver: Awaited<ReturnType<typeof startReceiver>>
let asOperator: Awaited<ReturnType<Service['as']>>
beforeAll(async () => void (receiver = await startReceiver()))
afterAll(() => receiver[Symbol.asyncDispose]())
const service = useService(() => ({
  privateWebhookHosts: [receiver.host],
  privatePushHosts: [nowhere],
  mailFrom: { name: 'Parley', address: 'parley@example.org' },
}))
beforeAll(async () => {
  const operator = newWallet()
  await addOperator(service, operator)
  asOperator = await service.as(operator)
})

const act = (action: string, subject: string) =>
  asOperator.act({ body: { action: action as 'note', subject, reason: 'a test' } })

const newKey = () => {
  const key = generatePrivateKey()
  return { key, address: privateKeyToAccount(key).address.toLowerCase() }
}
let worlds = 0
/** A chat with people in it; the author owns it, or is a member. */
async function newWorld(author: 'owner' | 'member') {
  const n = 'abcdefghijklmnop'[(worlds += 1)]!
  const [town, garden, slug] = [`town-${n}${n}`, `garden-${n}${n}`, `markslug${n}${n}kram`]
  const [me, other, owner] = [newKey(), newKey(), newWallet()]
  const creator = author === 'owner' ? me.address : owner
  const asCreator = await service.as(creator)
  for (const community of [town, garden]) await asCreator.createCommunity({ body: { community } })
  const own = await chatMember(service, town, me.address)
  const [peer, moderator] = [await chatMember(service, town), await chatMember(service, town)]
  const third = await chatMember(service, town)
  await asCreator.addModerator({ nftaddr: town, walletaddr: moderator.address })
  await asCreator.createRoom({ community: town, body: { room: 'sheds' } })
  const back = { fromaddr: peer.address, toaddr: me.address, message: 'gm' }
  const [received] = await peer.client.sendDirectMessage({ body: back })
  const between = { fromaddr: me.address, toaddr: peer.address, message: 'gm' }
  const [sent] = await own.client.sendDirectMessage({ body: between })
  const post = await peer.post('to remove')
  await asCreator.setChatRules({ nftaddr: town, body: { words: ['wait'] } })
  const held = await (await chatMember(service, town)).post('please wait')
  await asCreator.setChatRules({ nftaddr: town, body: { words: [] } })
  await own.client.becomeBot()
  const address = { url: `http://${receiver.host}/own`, chat: undefined, peer: undefined }
  const [hook] = await own.client.createWebhook({ body: { url: address.url, events: ['message.direct'] } })
  const secret = await newHookOf(service, me.address, town)
  await peer.client.createWebhook({
    body: {
      url: `http://${receiver.host}/x`,
      events: ['message.direct', 'request.new', 'message.group', 'message.deleted', 'member.joined'],
    },
  })
  const general: Values = { address: me.address, walletaddr: me.address, peer: peer.address, nftaddr: town }
  const special: Partial<Record<EndpointName, Values>> = {
    createApiKey: { scopes: ['dm:send'], expires_at: undefined },
    postByHook: { secret },
    sendDirectMessage: { fromaddr: me.address, toaddr: peer.address, ...token },
    createFile: { toaddr: peer.address, nftaddr: undefined },
    editMessage: { id: sent!.id, revision: 0, writing: undefined, encrypted_sym_x_key: undefined },
    markDirectMessage: { id: received!.id, fromaddr: peer.address, toaddr: me.address, timestamp: undefined },
    postGroupMessage: { fromaddr: me.address },
    postCommunityMessage: { fromaddr: me.address },
    restrictMember: { walletaddr: third.address, muted_until: 'forever', banned_until: undefined },
    setChatRules: { retention_days: 0, slow_seconds: 0 },
    decideHeldPost: { id: held.id },
    removePost: { id: post.id },
    react: { id: received!.id, values: ['🫎'] },
    createCommunity: { community: town },
    setCommunityAbout: { community: town },
    createRoom: { community: town },
    changeRoom: { nftaddr: `${town}/sheds` },
    leaveChat: { nftaddr: garden },
    createDraft: { toaddr: peer.address, nftaddr: undefined },
    setContact: { state: 'accepted', blocked: undefined, muted_until: null },
    publishKey: { replaces: undefined },
    createComment: { ...token, fromaddr: me.address },
    createImage: { addr: me.address },
    updateImage: { addr: town },
    createProfilePicture: { addr: garden },
    createReport: { peer: peer.address, item_ids: undefined, chat: undefined, keys: undefined, block: false },
    updateSettings: { email: null },
    putPushSubscription: {
      ...newBrowser(`https://${nowhere}/x`).subscription,
      label: undefined,
      replaces: undefined,
    },
    setNotificationRules: { tz: 'Europe/Berlin' },
    createWebhook: address,
    changeWebhook: { ...address, session: hook!.id },
  }
  const calls: Call[] = []
  const valuesOf = (name: EndpointName) => ({ ...general, ...special[name] })
  for (const [name] of writing)
    calls.push(name === 'signIn' ? await signInCall(service, other.key) : callOf(name, valuesOf(name)))
  calls.push(callOf('createCommunity', { ...general, community: slug }))
  calls.at(-1)!.marks.set(slug, 'community')
  calls.push(callOf('joinChat', { ...general, nftaddr: slug, chain: '' }))
  calls.find(({ name }) => name === 'react')!.marks.set('🫎', 'values')
  const stranger = { address: newWallet() }
  const readers: Record<string, { address: string }> = { peer, moderator, third, stranger }
  return {
    town,
    garden,
    slug,
    me: me.address,
    other: other.address,
    creator,
    calls,
    readers,
    peer,
    moderator,
  }
}
type World = Awaited<ReturnType<typeof newWorld>>

const knownIn = ({ town, garden, slug, me, other, calls }: World, reader: string): Known => {
  const names = calls.flatMap(({ name, marks }) =>
    name === 'setName' || name === 'signIn' ? [...marks].filter(([, field]) => field === 'name') : [],
  )
  const slugs = [town, garden, slug]
  return {
    address: [...new Set([reader, me, town])],
    fromaddr: [reader],
    toaddr: [me],
    useraddress: [reader],
    walletaddr: [reader, me],
    nftaddr: [...slugs, token.nftaddr],
    nftid: [token.nftid],
    community: slugs,
    addr: [me, ...slugs],
    name: [me, other, ...names.map(([mark]) => mark)],
    contract: [token.nftaddr],
    wallet: [reader],
    peer: [me],
    time: ['0'],
    type: ['all'],
    '?prefix': ['mark', 'town', 'garden'],
    '?words': ['town', 'mark'],
    '?enter': ['false'],
    '?addresses': [me],
  }
}

/** Does all that the author writes. Returns how each call ended. */
async function writeAll(world: World) {
  const statuses: [EndpointName, number, string][] = []
  for (const call of world.calls) {
    const { statusCode, body } = await send(
      service,
      call.name === 'signIn' || call.name === 'postByHook' ? null : world.me,
      call,
    )
    statuses.push([call.name, statusCode, body])
  }
  // What is shown of a picture is drawn from it.
  const drawn = await service.ctx.db.query<{ address: string; logo: string }>(
    'select address, logo from profiles where address = any($1) and logo is not null',
    [[world.me, world.town, world.garden]],
  )
  for (const { address, logo } of drawn)
    world.calls
      .find(({ marks, values }) => values['addr'] === address && [...marks.values()].includes('base64data'))!
      .marks.set(JSON.parse(logo) as string, 'logo')
  return statuses
}

/** The fields that stand in some texts, as `setName.name`. */
const found = ({ calls }: Pick<World, 'calls'>, texts: string[]) =>
  calls
    .flatMap(({ name, marks }) =>
      [...marks]
        .filter(([mark]) => texts.some((text) => text.includes(mark)))
        .map(([, field]) => `${name} ${field}`),
    )
    .toSorted()

/** What a reader is answered, by endpoint and without what it has asked for: who knows a name may read it. */
async function textsFor(world: World, reader: string | null): Promise<[string, string][]> {
  const answers = await readAll(service, reader, knownIn(world, reader ?? world.peer.address))
  const marks = world.calls.flatMap((call) => [...call.marks.keys()])
  const asked = (url: string) => marks.filter((mark) => url.includes(mark))
  return [...answers].map(([url, { text }]) => [
    url.split(' ')[0]!,
    asked(url).reduce((rest, mark) => rest.replaceAll(mark, 'asked'), text),
  ])
}

/** What the author has written that others read. */
async function seenByOthers(world: World, of: Pick<World, 'calls'> = world) {
  const texts: string[] = []
  const readers = Object.values(world.readers).map(({ address }) => address)
  for (const reader of [...readers, null])
    texts.push(...(await textsFor(world, reader)).map(([, text]) => text))
  for (const path of [`/dm/${world.me}`, `/dm/${world.other}`])
    texts.push(JSON.stringify((await findInvitation(service.ctx, path)) ?? ''))
  await service.runJobs()
  texts.push(...receiver.received.map(({ body }) => body))
  return found(of, texts)
}

/** What the author reads of it itself, and in its export. Lists of others show it the small picture and the name that others see. */
async function seenByAuthor(world: World) {
  const texts = await textsFor(world, world.me)
  const fieldsIn = (those: typeof texts) =>
    found(
      world,
      those.map(([, text]) => text),
    ).filter((field) => !field.endsWith(' logo') && !field.startsWith('signIn '))
  const isExport = ([name]: [string, string]) => name === 'exportAccount'
  return {
    answered: fieldsIn(texts.filter((one) => !isExport(one))),
    exported: fieldsIn(texts.filter(isExport)),
  }
}

const namesOf = (fields: string[]) => [...new Set(fields.map((field) => field.split(' ')[0]!))].toSorted()
const isPublishing = (name: string) => (contract[name as EndpointName] as Endpoint).publishes === true

/** What a wallet writes that nothing hinders, and what others and it then read. */
async function writeUnhindered() {
  const world = await newWorld('owner')
  await using stream = await listenTo(service, world.peer.address)
  const statuses = await writeAll(world)
  const seen = [...(await seenByOthers(world)), ...found(world, [JSON.stringify(stream.events())])]
  return { statuses, seen, own: await seenByAuthor(world) }
}
let written: ReturnType<typeof writeUnhindered> | undefined
const unhindered = () => (written ??= writeUnhindered())

test('what others read of a wallet is written by endpoints that say so in the contract', async () => {
  const { statuses, seen } = await unhindered()
  expect(statuses.filter(([name, status]) => status >= 300 && !refusedAlone[name])).toEqual([])
  expect(namesOf(seen).filter((name) => !isPublishing(name))).toEqual(
    Object.keys(goesOn)
      .filter((name) => !isPublishing(name))
      .toSorted(),
  )
  expect(
    writing.map(([name]) => name).filter((name) => isPublishing(name) && !namesOf(seen).includes(name)),
  ).toEqual([])
})

test.each(['mute', 'ban'] as const)('a wallet under a %s shows nothing to others', async (action) => {
  const world = await newWorld('owner')
  for (const wallet of [world.me, world.other]) await act(action, wallet)
  await using stream = await listenTo(service, world.peer.address)
  const statuses = await writeAll(world)
  for (const [name, status, body] of statuses)
    if (isPublishing(name)) expect([name, status, body]).toEqual([name, 403, expect.stringContaining('')])
  const seen = [...(await seenByOthers(world)), ...found(world, [JSON.stringify(stream.events())])]
  expect(namesOf(seen)).toEqual(action === 'mute' ? ['publishKey'] : [])
})

test('of a wallet that is muted unseen nothing is shown to others; it is answered and reads as before', async () => {
  const base = await unhindered()
  const world = await newWorld('owner')
  for (const wallet of [world.me, world.other]) await act('shadow_mute', wallet)
  await using stream = await listenTo(service, world.peer.address)
  const statuses = await writeAll(world)
  expect(statuses.map(([name, status]) => [name, status])).toEqual(
    base.statuses.map(([name, status]) => [name, status]),
  )
  const seen = [...(await seenByOthers(world)), ...found(world, [JSON.stringify(stream.events())])]
  expect(namesOf(seen)).toEqual(Object.keys(goesOnUnseen).toSorted())
  expect(await seenByAuthor(world)).toEqual(base.own)
})

const inChat = ({ town, calls }: World) => ({
  calls: calls.filter(
    ({ url, payload }) => `${url} ${JSON.stringify(payload)}`.includes(town) || url.includes('/hooks/'),
  ),
})

test.each([{ muted_until: 'forever' }, { banned_until: 'forever' }])(
  'a wallet that moderators keep out shows nothing in the chat: %o',
  async (body) => {
    const world = await newWorld('member')
    await (
      await service.as(world.creator)
    ).restrictMember({
      nftaddr: world.town,
      walletaddr: world.me,
      body,
    })
    await using stream = await listenTo(service, world.peer.address)
    await writeAll(world)
    const streamed = [JSON.stringify(stream.events())]
    expect([...(await seenByOthers(world, inChat(world))), ...found(inChat(world), streamed)]).toEqual([])
    expect(namesOf(await seenByOthers(world))).toContain('createComment')
  },
)

test('what a rule of the chat holds is shown by no path, until a moderator approves it', async () => {
  const world = await newWorld('member')
  const { town, me, calls, peer, moderator } = world
  const { moderator: _, ...readers } = world.readers
  const more = () => callOf('postGroupMessage', { fromaddr: me, nftaddr: town })
  const [byKey, answered] = [more(), more()]
  const posting = new Set(['postGroupMessage', 'postCommunityMessage', 'postByHook'])
  const held = { calls: [...calls.filter(({ name }) => posting.has(name)), byKey, answered] }
  const words = held.calls.flatMap(({ marks }) => [...marks.keys()])
  await (await service.as(world.creator)).setChatRules({ nftaddr: town, body: { words } })
  await using stream = await listenTo(service, peer.address)

  await writeAll(world)
  const authorization = `Bearer ${await newApiKeyOf(service, me, ['chat:post'])}`
  const { method, url, payload } = byKey
  await service.app.inject({ method, url, payload: payload!, headers: { authorization } })
  const asAuthor = await service.as(me)
  await asAuthor.setCommands({ nftaddr: town, body: { commands: [{ word: 'ask', description: '' }] } })
  await asAuthor.createWebhook({
    body: { url: `http://${receiver.host}/bot`, events: ['command'], chat: town },
  })
  const text = (answered.payload as { message: string }).message
  receiver.answerBy(({ body }) =>
    (JSON.parse(body) as { type: string }).type === 'command'
      ? (response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text }))
      : 200,
  )
  await peer.post('/ask')
  for (let n = 0; n < 3; n++) {
    await service.runJobs()
    await service.ctx.db.query('update graphile_worker._private_jobs set run_at = now() where run_at > now()')
  }
  receiver.answerBy(() => 200)

  const seen = async () => [
    ...(await seenByOthers({ ...world, readers }, held)),
    ...found(held, [JSON.stringify(stream.events())]),
  ]
  const waiting = (await moderator.held()).filter(({ message }) => words.includes(message))
  expect(waiting.map(({ message }) => message).toSorted()).toEqual(words.toSorted())
  expect(await seen()).toEqual([])
  for (const client of [asAuthor, peer.client])
    for (const { id } of waiting)
      await expect(
        client.decideHeldPost({ nftaddr: town, id, body: { approve: true } }),
      ).rejects.toMatchObject({ status: 403 })
  expect(await seen()).toEqual([])
  const [first, ...rest] = waiting
  for (const { id } of rest) await moderator.decide(id, false)
  await moderator.decide(first!.id, true)
  const approved = held.calls.filter(({ marks }) => marks.has(first!.message))
  expect(new Set(await seen())).toEqual(new Set(found({ calls: approved }, [first!.message])))
})

test('in a community that was taken down nobody shows anything', async () => {
  const world = await newWorld('owner')
  await act('takedown_community', world.town)
  await writeAll(world)
  expect(await seenByOthers(world, inChat(world))).toEqual([])
})
