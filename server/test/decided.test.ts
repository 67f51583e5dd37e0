// What one wallet has decided about another, or an operator about a wallet, shows in nothing that the other is answered, told or may
// do. Each decision is taken in a world of its own, and everything that the other side reads and does next is compared with a world
// in which nobody has decided anything. Every endpoint that writes is here: with its decisions, or with what it shows by design.

import { contract } from '@parley/sdk/contract/index.ts'
import { type Action, noticed } from '@parley/sdk/contract/moderation-actions.ts'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newApiKeyOf } from '../../testing/people/secrets.ts'
import { chatMember } from '../../testing/people/chat-members.ts'
import { namesAnybody } from '../../testing/cases/callers.ts'
import { listenTo } from '../../testing/service/event-listener.ts'
import { addOperator } from '../../testing/people/moderators.ts'
import { callOf, type EndpointName, readAll, send, type Values } from '../../testing/cases/published.ts'
import { newWallet, useService } from '../../testing/service/service.ts'
import { startReceiver } from '../../testing/outside/webhook-receiver.ts'

let receiver: Awaited<ReturnType<typeof startReceiver>>
const operator = newWallet()
beforeAll(async () => void (receiver = await startReceiver()))
afterAll(() => receiver[Symbol.asyncDispose]())
const service = useService(() => ({ privateWebhookHosts: [receiver.host] }))
beforeAll(async () => {
  await addOperator(service, operator)
})

/** How far the two have come: `v` decides about `a`. */
const beginnings = ['nothing', 'asked', 'answered'] as const
type Beginning = (typeof beginnings)[number]

/** In the order of addresses, which lists have: the roles lie alike in every world. */
const newWalletAt = (place: number) => `0x0${place}${randomBytes(19).toString('hex')}`

/** The moments of a world by name: a time in a text becomes the name of the last one before it. */
function createMoments() {
  const moments: { name: string; ms: number }[] = []
  return {
    /** Begins a step, some milliseconds after what came before. */
    async begin(name: string): Promise<void> {
      await sleep(4)
      moments.push({ name, ms: service.ctx.db.now() })
      await sleep(2)
    },
    nameOf(time: string): string {
      const ms = Date.parse(time)
      if (ms > service.ctx.db.now() + 1000) return 'TIME to come'
      return `TIME of ${moments.findLast((moment) => moment.ms <= ms)?.name ?? 'before'}`
    },
  }
}

async function newWorld(beginning: Beginning) {
  const moments = createMoments()
  const town = `town${randomBytes(6).toString('hex')}x`
  const [a, owner, v] = [newWalletAt(1), newWalletAt(2), newWalletAt(3)]
  const nft = { nftaddr: newWalletAt(4), nftid: '7' }
  await (await service.as(owner)).createCommunity({ body: { community: town } })
  const own = await chatMember(service, town, owner)
  const [asA, asV] = [await chatMember(service, town, a), await chatMember(service, town, v)]
  // A name that is changed afterwards is in publishing.test.ts.
  await asA.client.setName({ body: { address: a, name: `Name ${town}` } })
  for (const [member, text] of [
    [own, 'one'],
    [asA, 'two'],
    [asV, 'three'],
  ] as const) {
    await moments.begin(text)
    await member.post(text)
  }
  const dm = async (from: typeof asA, to: string, message: string) => {
    await moments.begin(message)
    const body = { fromaddr: from.address, toaddr: to, message, ...nft }
    return (await from.client.sendDirectMessage({ body }))[0]!
  }
  const asked = beginning === 'nothing' ? undefined : await dm(asA, v, 'gm')
  if (beginning === 'answered') await dm(asV, a, 'hello')
  await moments.begin('webhook')
  const path = `/${town}`
  await asA.client.createWebhook({
    body: {
      url: `http://${receiver.host}${path}`,
      events: ['message.direct', 'request.new', 'message.group', 'message.deleted', 'member.joined'],
    },
  })
  return { town, a, v, owner, nft, asked, moments, key: await newApiKeyOf(service, a, ['dm:send']) }
}
type World = Awaited<ReturnType<typeof newWorld>>

/** A text without what no two worlds share: addresses, names and ids; its times say after what they are. */
function plain({ town, a, v, owner, key, nft, moments }: World, text: string): string {
  const names = { [a]: 'A', [v]: 'V', [owner]: 'OWNER', [town]: 'TOWN', [key]: 'KEY', [nft.nftaddr]: 'NFT' }
  return Object.entries(names)
    .reduce((rest, [value, name]) => rest.replaceAll(value, name), text)
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => moments.nameOf(time))
    .replaceAll(/"(id|read_to_id|last_id|api_key)" ?: ?"?[\w-]+"?/g, '"$1":"ID"')
    .replaceAll(/"(request_id|nonce|Nonce|secret|public_key|hint)":"[^"]*"/g, '"$1":"ID"')
    .replaceAll(/mark[a-z]+kramq/g, 'MARK')
}

/** What `a` does next, and how each is answered. */
async function actNext(world: World): Promise<string[]> {
  const { town, a, v, key, nft } = world
  const body = { fromaddr: a, toaddr: v, message: 'next' }
  const next: [EndpointName, Values, string?][] = [
    [
      'sendDirectMessage',
      { ...body, ...nft, encrypted_sym_x_key: undefined, x_access_conditions: undefined },
    ],
    ['sendDirectMessage', { ...body, nftaddr: undefined, nftid: undefined }, key],
    ['sendTyping', { fromaddr: a, toaddr: v, nftaddr: undefined }],
    ['sendTyping', { fromaddr: a, nftaddr: town, toaddr: undefined }],
    ['postGroupMessage', { fromaddr: a, nftaddr: town, message: 'next' }],
    ['createComment', { fromaddr: a, ...nft, message: 'next' }],
    ['joinChat', { walletaddr: a, nftaddr: town, chain: '' }],
    ['setContact', { peer: v, state: 'accepted', blocked: undefined, alias: 'V', muted_until: null }],
  ]
  const answers: string[] = []
  for (const [n, [name, values, bearer]] of next.entries()) {
    await world.moments.begin(`next ${n}`)
    const call = callOf(name, values)
    const { statusCode, body: text } = bearer
      ? await service.app.inject({
          method: call.method,
          url: call.url,
          payload: call.payload!,
          headers: { authorization: `Bearer ${bearer}` },
        })
      : await send(service, a, call)
    answers.push(`${name}${bearer ? ' by a key' : ''}: ${statusCode} ${plain(world, text)}`)
  }
  return answers
}

/** All that `a`, and nobody, reads of both. */
async function readOf(world: World): Promise<string[]> {
  const { town, a, v, nft } = world
  const known = {
    address: [a, town, v],
    fromaddr: [a],
    toaddr: [v],
    useraddress: [a, v],
    walletaddr: [a, v],
    nftaddr: [town, nft.nftaddr],
    nftid: [nft.nftid],
    community: [town],
    addr: [a, v, town],
    name: [a, v],
    contract: [nft.nftaddr],
    wallet: [a],
    peer: [v],
    time: ['0'],
    type: ['dm', 'nft', 'community', 'all'],
    '?view': ['main', 'requests'],
    '?state': ['unknown', 'accepted'],
    '?prefix': [town],
    '?addresses': [v],
    '?enter': ['false'],
  }
  // What is public cannot look to everybody as it does to one wallet: who reads comments without a sign-in sees what others see.
  const ofAnyone = [...(await readAll(service, null, known))].filter(
    ([url]) => !/^(list|count)Comments /.test(url),
  )
  const answers = [...ofAnyone, ...(await readAll(service, a, known))]
  // Numbers of the whole service, and lists of all worlds.
  const ofAll = /^(isReady|isAlive|countModeration|getPushKey|getNonce|listCommunities (?!.*prefix))/
  return answers
    .filter(([url]) => !ofAll.test(url))
    .map(([url, { status, text }]) => plain(world, `${url} ${status} ${text}`))
}

/** Everything that `a` notices after a decision. */
async function noticedAfter(beginning: Beginning, decide: (world: World) => Promise<void>) {
  const world = await newWorld(beginning)
  await service.runJobs()
  await using stream = await listenTo(service, world.a)
  await world.moments.begin('decision')
  await decide(world)
  await world.moments.begin('reading')
  const before = await readOf(world)
  const answers = await actNext(world)
  await world.moments.begin('reading again')
  const after = await readOf(world)
  await world.moments.begin('last')
  // After all that came before it.
  await send(
    service,
    world.a,
    callOf('postGroupMessage', { fromaddr: world.a, nftaddr: world.town, message: 'last' }),
  )
  await expect.poll(() => stream.messages(), { timeout: 20_000 }).toContain('last')
  await service.runJobs()
  const told = receiver.received.filter(({ headers, body }) => headers['host'] && body.includes(world.town))
  const events = stream.events().map((event) => plain(world, JSON.stringify(event)))
  return {
    before,
    answers,
    after,
    events: events.toSorted(),
    told: told.map(({ body }) => plain(world, JSON.stringify(JSON.parse(body).data))).toSorted(),
  }
}

const itself = 'is about the wallet itself'
const shows = 'shows others what it says'

type Decide = (world: World) => Values
/** Of each endpoint that writes and names somebody: the decisions of `v` about `a`, or why there is none. */
const decisions: Record<string, Decide[] | string> = {
  signIn: itself,
  renewSession: itself,
  endSession: itself,
  becomeBot: 'everybody may ask which wallets are bots',
  createIncomingHook: itself,
  postByHook: shows,
  sendDirectMessage: shows,
  markDirectMessage: 'the sender is shown what was read',
  deleteDirectMessage: 'goes for both',
  deleteConversation: 'goes for both',
  editMessage: shows,
  react: shows,
  announcePost: shows,
  pinMessage: shows,
  unpinMessage: 'either end removes a pin, and the other sees that it is gone',
  postGroupMessage: shows,
  postCommunityMessage: shows,
  removePost: 'goes for all',
  addModerator: 'everybody who reads a chat is told who moderates it',
  removeModerator: 'everybody who reads a chat is told who moderates it',
  setPublicReading: 'members of a chat see that everybody reads it',
  addToChatTeam: 'everybody who reads a chat reads who is its team',
  removeFromChatTeam: 'everybody who reads a chat reads who is its team',
  handOverChat: 'everybody who reads a chat is told who moderates it',
  claimImported: 'everybody may ask who an imported person is here',
  releaseImported: 'everybody may ask who an imported person is here',
  claimChat: 'everybody who reads a chat is told who moderates it',
  restrictMember: 'who is muted or banned in a chat reads why',
  setGate: 'everybody reads what it takes to get into a chat',
  tryGate: 'stores nothing, and is answered to the owner alone',
  removeGate: 'everybody reads what it takes to get into a chat',
  setChatRules: 'members read the rules, and whose post waits is told',
  decideHeldPost: 'whose post waited is told',
  createCommunity: shows,
  setCommunityAbout: 'everybody reads what a community is about',
  createRoom: shows,
  changeRoom: shows,
  deleteRoom: 'goes for all',
  joinRooms: 'the members of a chat are listed',
  joinChat: 'the members of a chat are listed',
  leaveChat: 'the members of a chat are listed',
  createDraft: [({ a }) => ({ toaddr: a, nftaddr: undefined })],
  createFile: [({ a }) => ({ toaddr: a })],
  markReadTo: 'the sender is shown what was read',
  hideMessage: 'a message that is hidden counts as read, and the sender is shown what was read',
  hideConversation: [({ a }) => ({ toaddr: a })],
  setContact: [
    ({ a }) => ({ peer: a, state: 'accepted', blocked: undefined, alias: undefined, muted_until: undefined }),
    ({ a }) => ({ peer: a, state: 'ignored', blocked: undefined, alias: undefined, muted_until: undefined }),
    ({ a }) => ({ peer: a, state: 'blocked', blocked: undefined, alias: undefined, muted_until: undefined }),
    ({ a }) => ({ peer: a, state: undefined, blocked: true, alias: 'my ex', muted_until: 'forever' }),
    ({ a }) => ({ peer: a, state: undefined, blocked: undefined, alias: 'my ex', muted_until: 'forever' }),
  ],
  acceptRequests: [() => ({})],
  clearRequests: [() => ({})],
  muteChat: [({ town }) => ({ nftaddr: town, muted_until: 'forever' })],
  setDmPolicy: 'everybody may ask from whom a wallet takes messages',
  publishKey: shows,
  storeGuestKey: itself,
  setCommands: shows,
  createComment: shows,
  deleteComments: 'goes for all',
  createImage: shows,
  updateImage: shows,
  createProfilePicture: shows,
  deleteImage: 'goes for all',
  setName: shows,
  deleteName: 'goes for all',
  createReport: [
    ({ a }) => ({
      peer: a,
      reason: 'spam',
      item_ids: undefined,
      chat: undefined,
      keys: undefined,
      block: false,
    }),
    ({ a }) => ({
      peer: a,
      reason: 'scam',
      item_ids: undefined,
      chat: undefined,
      keys: undefined,
      block: true,
    }),
  ],
  updateSettings: itself,
  deleteSettings: itself,
  setChatNotifications: [({ town }) => ({ nftaddr: town, tell: 'mentions' })],
  createWebhook: [
    ({ a }) => ({ url: `http://${receiver.host}/v`, events: ['message.direct'], chat: undefined, peer: a }),
  ],
  changeWebhook: itself,
  replayDelivery: itself,
  eraseAccount: 'what was written goes',
  sendTyping: shows,
  search: 'reads alone',
  verifyKey: 'reads alone',
}

const isTold = 'the wallet gets a notice, or its members are told'
/** What operators do with `a` that it does not notice, and what it notices of the rest. */
const ofOperators: Record<Action, true | string> = {
  shadow_mute: true,
  shadow_lift: true,
  hold: true,
  release: true,
  note: true,
  acknowledge: 'is about reports, which their reporters see closed',
  escalate: 'is about reports',
  ...(Object.fromEntries(noticed.map((action) => [action, isTold])) as Record<
    (typeof noticed)[number],
    string
  >),
  close_chat: isTold,
  open_chat: isTold,
  stop_announcements: isTold,
  allow_announcements: isTold,
  recommend_community: isTold,
  unrecommend_community: isTold,
  takedown_community: isTold,
  restore_community: isTold,
}

const baselines = new Map<Beginning, ReturnType<typeof noticedAfter>>()
const baselineOf = (beginning: Beginning) => {
  const known = baselines.get(beginning) ?? noticedAfter(beginning, async () => {})
  baselines.set(beginning, known)
  return known
}

test('every endpoint that writes is here, but those about the caller alone', () => {
  const missing = (Object.entries(contract) as [string, Endpoint][]).filter(
    ([name, endpoint]) =>
      endpoint.method !== 'GET' &&
      endpoint.access !== 'operator' &&
      namesAnybody(endpoint) &&
      !(name in decisions),
  )
  expect(missing.map(([name]) => name)).toEqual([])
  expect(Object.keys(decisions).filter((name) => !(name in contract))).toEqual([])
})

test.each(beginnings)('two worlds without a decision are alike: %s', async (beginning) => {
  expect(await noticedAfter(beginning, async () => {})).toEqual(await baselineOf(beginning))
})

/** What is decided about a wallet as such is tried however far the two have come. */
const begunFor = (name: string) => (/Contact|Requests/.test(name) ? beginnings : (['asked'] as const))

const cases = Object.entries(decisions).flatMap(([name, all]) =>
  typeof all === 'string'
    ? []
    : all.flatMap((values, n) => begunFor(name).map((beginning) => ({ name, n, beginning, values }))),
)
test.each(cases)('$name ($n) shows the other nothing: $beginning', async ({ name, beginning, values }) => {
  const seen = await noticedAfter(beginning, async (world) => {
    const { statusCode } = await send(service, world.v, callOf(name as EndpointName, values(world)))
    expect(statusCode).toBeLessThan(300)
  })
  expect(seen).toEqual(await baselineOf(beginning))
})

test.each(
  (Object.keys(ofOperators) as Action[])
    .filter((action) => ofOperators[action] === true)
    .flatMap((action) =>
      (action === 'shadow_mute' ? beginnings : (['asked'] as const)).map((beginning) => ({
        action,
        beginning,
      })),
    ),
)(
  'an operator decides $action, and the wallet does not notice: $beginning',
  async ({ action, beginning }) => {
    const asOperator = await service.as(operator)
    const seen = await noticedAfter(beginning, async ({ a }) => {
      await asOperator.act({ body: { action, subject: a, reason: 'a test' } })
    })
    expect(seen).toEqual(await baselineOf(beginning))
  },
)
