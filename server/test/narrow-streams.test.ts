// Every event of the contract is sent to a stream with each narrow scope: what is about another wallet or chat, or about nobody,
// never passes.

import type { ServerResponse } from 'node:http'
import { contract } from '@parley/sdk/contract/index.ts'
import { ServiceEvent } from '@parley/sdk/contract/events.ts'
import { kindOfScope, narrowScopes, type Scope, wideScopes } from '@parley/sdk/contract/scopes.ts'
import { expect, test } from 'vitest'
import { newWallet } from '../../testing/service/service.ts'
import { exampleOf } from '../../testing/cases/longest-texts.ts'
import { seeing } from '../src/features/events/seeing.ts'
import { createStream, release, send, sendMissed, toFrame } from '../src/live/stream.ts'

interface Schema {
  properties: Record<string, Schema>
  required?: string[]
  anyOf?: Schema[]
  const?: string
}
type Fields = Record<string, unknown>

const [me, peer, stranger] = [newWallet(), newWallet(), newWallet()]
const [town, elsewhere] = ['Town', 'Elsewhere']

const variants = (ServiceEvent as unknown as Schema).anyOf!

/** The model of what names the place of an event: the event itself, or each kind of message in it. */
const partsOf = ({ properties }: Schema): (Schema | undefined)[] =>
  properties['item'] ? (properties['item'].anyOf ?? [properties['item']]) : [undefined]

interface Form {
  json: string
  place: 'peer' | 'chat' | 'none'
}

const examplesOf = ({ properties }: Schema): Fields =>
  Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field as never)]))

/** Makes each form of an event that happens between `me` and a wallet, or in a chat. */
const formsIn = (event: Schema, wallet: string, chat: string): Form[] =>
  partsOf(event).flatMap((part) => formsOfPart(event, part, wallet, chat))

function formsOfPart(event: Schema, part: Schema | undefined, wallet: string, chat: string): Form[] {
  const has = (field: string) => Object.hasOwn((part ?? event).properties, field)
  const type = event.properties['type']!.const
  const rest = examplesOf(part ?? event)
  for (const field of ['toaddr', 'nftaddr', 'nftid']) delete rest[field]
  const forms: Form[] = []
  const add = (place: Form['place'], fields: Fields) => {
    const about = { ...rest, ...fields }
    forms.push({
      json: JSON.stringify(part ? { ...examplesOf(event), type, item: about } : { ...about, type }),
      place,
    })
  }
  add('none', has('peer') ? { peer: wallet } : {})
  if (has('toaddr')) {
    add('peer', { fromaddr: wallet, toaddr: me })
    add('peer', { fromaddr: me, toaddr: wallet })
    // A message about a token, which is in no chat.
    if (has('nftaddr') && part) add('peer', { fromaddr: wallet, toaddr: me, nftaddr: chat, nftid: '1' })
  }
  if (has('nftaddr') && !(part && has('toaddr')))
    add('chat', has('fromaddr') ? { fromaddr: wallet, nftaddr: chat } : { nftaddr: chat })
  return forms
}

/** Returns what a stream of `me` with some scopes is sent of an event, as new and as missed. */
async function sentTo(scopes: readonly string[] | undefined, json: string): Promise<number> {
  const written: string[] = []
  const response = {
    write: (bytes: Buffer) => written.push(bytes.toString()),
    writableLength: 0,
  } as unknown as ServerResponse
  const sees = seeing({ address: me, ...(scopes && { scopes }) })
  const stream = createStream(response, { isOver: () => false, sees })
  await sendMissed(stream, toFrame(json, 7, 7))
  send(stream, toFrame(json, 8, 8))
  release(stream, () => true)
  send(stream, toFrame(json, 9, 9))
  return written.length
}

const reading = (Object.keys(narrowScopes) as Scope[]).flatMap((scope) => {
  const kind = kindOfScope[scope]!
  const values = { peer: [peer], chat: [town], nft: [newWallet(), '7'] }[kind]
  const rest = [...values]
  const text = narrowScopes[scope]!.form.replace(/<\w+>/g, () => rest.shift()!)
  const mayRead = (contract.streamEvents.scope as readonly Scope[]).includes(scope)
  return [{ text, kind, mayRead }]
})

const types = variants.map((event) => [event.properties['type']!.const!, event] as const)

test.each(reading)(
  '$text: a stream gets the events of that place, and no other',
  async ({ text, kind, mayRead }) => {
    let passed = 0
    for (const [type, event] of types)
      for (const [wallet, chat, isIn] of [
        [peer, town, true],
        [peer, town.toUpperCase(), true],
        [stranger, elsewhere, false],
      ] as const)
        for (const { json, place } of formsIn(event, wallet, chat)) {
          const isPlain = json === '{"type":"resync"}'
          const passes = isPlain || (isIn && mayRead && place === kind && type !== 'contact')
          expect(await sentTo([text], json), json).toBe(passes ? 3 : 0)
          if (passes && !isPlain) passed++
        }
    expect(passed > 0).toBe(mayRead)
  },
)

test('a sign-in without scopes and inbox:read get every event; other scopes for all get none of the wallet', async () => {
  for (const [, event] of types)
    for (const { json } of formsIn(event, stranger, elsewhere)) {
      expect(await sentTo(undefined, json), json).toBe(3)
      expect(await sentTo(['inbox:read'], json), json).toBe(3)
    }
  for (const scope of wideScopes.filter((one) => one !== 'inbox:read'))
    for (const [, event] of types)
      for (const { json } of formsIn(event, stranger, elsewhere).filter((form) => form.place !== 'none'))
        expect(await sentTo([scope], json), `${scope} ${json}`).toBe(0)
})

test('an empty list of scopes, and an unknown one, see nothing', async () => {
  for (const [, event] of types)
    for (const { json, place } of formsIn(event, peer, town))
      if (place !== 'none')
        for (const scopes of [[], ['all'], ['dm:'], [`dm:${peer} `]])
          expect(await sentTo(scopes, json)).toBe(0)
})
