// These functions make the calls of each endpoint of the contract with the most that it accepts: made from the contract, so a new
// endpoint is called as soon as it is declared.

import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { heavyReport } from './heavy-reports.ts'
import { heavyChat, heavyHook, heavyMessages, heavyPosts, heldPosts } from './heavy-wallet.ts'

export interface HeavyCall {
  name: keyof typeof contract
  endpoint: Endpoint
  /** The paths with as many items as there may be at once; and the path of the whole list, where that is another one. */
  paths: string[]
  body: object | undefined
}

interface People {
  wallet: string
  peer: string
}

/** These calls end the tokens of a wallet, or change what it is and may do, so they come last. */
const last: (keyof typeof contract)[] = [
  'deleteConversation',
  'hideConversation',
  'becomeBot',
  'setCommands',
  'leaveChat',
  'signOut',
  'signOutEverywhere',
  'eraseAccount',
]

/** Orders the calls. Reading comes first: what is written and deleted changes the lists. */
const turnOf = (name: keyof typeof contract): number =>
  last.includes(name) ? 3 + last.indexOf(name) : { GET: 0, POST: 1, PUT: 1, DELETE: 2 }[contract[name].method]

/** The calls of all endpoints, in the order in which they can be made. */
export const heavyCalls = (people: People): HeavyCall[] =>
  (Object.keys(contract) as (keyof typeof contract)[])
    .toSorted((one, another) => turnOf(one) - turnOf(another))
    .map((name) => {
      const endpoint: Endpoint = contract[name]
      const queries = queriesOf(endpoint)
      return {
        name,
        endpoint,
        paths: pathsOf(name, endpoint, people).flatMap((path) => queries.map((query) => path + query)),
        body: bodyOf(name, endpoint, people),
      }
    })

const fixed: Record<string, string> = {
  nftaddr: heavyChat,
  community: heavyChat,
  contract: heavyChat,
  id: String(heavyReport),
  nftid: '1',
  session: heavyHook,
  type: 'all',
  time: '0',
  email: 'alice@example.org',
  name: 'n1',
  guest_key: 'k'.repeat(43),
  sha256: '0'.repeat(64),
}

/** The room that `createRoom` makes. */
const room = 'tools'

/** Returns the wallet itself where the contract says so; else the other one, or what is the wallet's. */
function valueOf(name: string, { self, path }: Endpoint, { wallet, peer }: People): string {
  const own = [self ?? []].flat()
  if (own.includes(name)) return name === own[0] ? wallet : peer
  if (name in fixed) return fixed[name]!
  // The address of a list of posts is the chat.
  if (name === 'address' && path.includes('{useraddress}')) return heavyChat
  return ['address', 'addr', 'fromaddr', 'wallet'].includes(name) ? wallet : peer
}

const each =
  (kind: string, count: number, after = 0) =>
  () =>
    Array.from({ length: count }, (_, n) => `${kind}${after + n + 1}`)
const messages =
  (from: number, to: number) =>
  ({ wallet, peer }: People) =>
    heavyMessages(wallet, peer).slice(from, to)

/** The last parameter of these paths is another one in each request. */
const many: { readonly [Name in keyof typeof contract]?: (people: People) => (string | number)[] } = {
  hideMessage: messages(0, 150),
  deleteDirectMessage: messages(150, 300),
  decideHeldPost: heldPosts,
  removePost: () => heavyPosts().slice(0, 350),
  listEdits: heavyPosts,
  listReactions: heavyPosts,
  editMessage: heavyPosts,
  react: heavyPosts,
  pinMessage: heavyPosts,
  unpinMessage: () => heavyPosts().slice(350),
  endSession: each('s', 20),
  deleteApiKey: each('key', 20),
  deleteDraft: each('draft', 100),
  deleteIncomingHook: each('in', 20),
  deletePushSubscription: each('p', 10),
  changeRoom: () => [encodeURIComponent(`${heavyChat}/${room}`)],
  deleteRoom: () => [encodeURIComponent(`${heavyChat}/${room}`)],
  // The newest of its deliveries: the others are deleted after a delivery.
  replayDelivery: each('', 100, 9900),
}

function pathsOf(name: keyof typeof contract, endpoint: Endpoint, people: People): string[] {
  const lastOfPath = /\{(\w+)\}(?!.*\{)/
  const withMany = many[name]?.(people).map((value) => endpoint.path.replace(lastOfPath, String(value)))
  return (withMany ?? [endpoint.path]).map((path) =>
    path.replaceAll(/\{(\w+)\}/g, (_, param: string) => valueOf(param, endpoint, people)),
  )
}

interface Schema {
  type?: string
  format?: string
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  maxItems?: number
  uniqueItems?: boolean
  maximum?: number
  pattern?: string
  examples?: unknown[]
  'x-max-bytes'?: number
}

/** Returns queries with the highest limit, and without any, which some lists read as all; each also with every flag. */
function queriesOf({ query }: Endpoint): string[] {
  const { properties = {}, required = [] } = (query ?? {}) as Schema
  const given = (names: string[]) => {
    const values = names.map((name): [string, string] => [
      name,
      `${properties[name]!.maximum ?? (properties[name]!.examples?.[0] as string | boolean | undefined)}`,
    ])
    return values.length === 0 ? '' : `?${new URLSearchParams(values)}`
  }
  const flags = Object.keys(properties).filter(
    (name) => properties[name]!.type === 'boolean' && name !== 'enter',
  )
  const limit = 'limit' in properties ? ['limit'] : []
  return [...new Set([limit, [], [...limit, ...flags]].map((names) => given([...required, ...names])))]
}

/** A value that is as large as it may be. */
function heaviest(schema: Schema, at: (name: string) => string | undefined, name = ''): unknown {
  const { type, anyOf, items, maxItems = 1, examples, pattern, 'x-max-bytes': maxBytes } = schema
  if ('const' in schema) return schema.const
  // A field whose examples are empty is left out.
  if (examples?.length === 0) return undefined
  if (anyOf) return examples?.[0] ?? heaviest(anyOf[0]!, at, name)
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([field, of]) => [field, heaviest(of, at, field)]),
    )
  if (type === 'array')
    return schema.uniqueItems
      ? examples?.[0]
      : Array.from({ length: maxItems }, () => heaviest(items!, at, name))
  if (type !== 'string') return examples?.[0]
  if (schema.format === 'address') return at(name)
  if (maxBytes === undefined || pattern !== undefined || name in examplesOnly) return examples?.[0]
  // JSON doubles quotes; a request has 256 KiB at most.
  return (maxBytes === 65_536 ? '"' : 'x').repeat(maxBytes)
}

/** Texts with a fixed form. */
const examplesOnly = {
  url: true,
  endpoint: true,
  replaces: true,
  tz: true,
  name: true,
  msg: true,
  nonce: true,
}

/** An endpoint accepts only one of these fields. */
const oneOf = new Set([
  'toaddr',
  'nftaddr',
  'peer',
  'chat',
  'item_ids',
  'keys',
  'block',
  'blocked',
  'token',
  'until',
  'report_ids',
  'item_id',
])
const chosen: { readonly [Name in keyof typeof contract]?: (people: People) => object } = {
  createDraft: ({ peer }) => ({ toaddr: peer }),
  sendTyping: () => ({ nftaddr: heavyChat }),
  setContact: () => ({ alias: 'x'.repeat(64) }),
  setDmPolicy: () => ({ who: 'everyone' }),
  act: () => ({ action: 'warn' }),
  createRoom: () => ({ room }),
  changeRoom: () => ({ position: 1 }),
  blockFile: () => ({ sha256: fixed['sha256']! }),
  storeGuestKey: () => ({ data: 'k'.repeat(80) }),
  setCommunityAbout: () => ({ tags: ['a', 'b', 'c', 'd', 'e'] }),
  setCommands: () => ({
    commands: Array.from({ length: 20 }, (_, n) => ({ word: `w${n}`, description: 'x'.repeat(200) })),
  }),
  createReport: ({ peer }) => ({ peer, reason: 'spam' }),
  createWebhook: () => ({}),
  react: () => ({ values: ['👍', '🎉', '❤️'] }),
  changeWebhook: () => ({}),
}

/** The largest list of wallets that a rule may have: groups within groups of such lists would be refused. */
const largeRule = {
  read: { wallets: Array.from({ length: 200 }, (_, n) => `0x${n.toString(16).padStart(40, '0')}`) },
}

function bodyOf(name: keyof typeof contract, endpoint: Endpoint, people: People): object | undefined {
  if (!endpoint.body) return undefined
  if (name === 'setGate' || name === 'tryGate') return largeRule
  const at = (field: string) => (field === 'toaddr' ? people.peer : valueOf(field, endpoint, people))
  const whole: object = Object(heaviest(endpoint.body, at))
  const one = chosen[name]?.(people)
  return one === undefined
    ? whole
    : { ...Object.fromEntries(Object.entries(whole).filter(([field]) => !oneOf.has(field))), ...one }
}
