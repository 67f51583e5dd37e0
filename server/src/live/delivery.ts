import { setImmediate as turn } from 'node:timers/promises'
import type { FieldRenaming } from '@parley/sdk/contract/encryption.ts'
import type { ServiceEvent } from '@parley/sdk/contract/events.ts'
import type { Logger } from 'pino'
import { eventSeconds } from '../telemetry/metrics.ts'
import { chatKey } from '../messages/chat-key.ts'
import type { Audience } from './audience.ts'
import type { Guard } from './stream-gate.ts'
import { isOfChat, type Item } from '../cluster/log.ts'
import type { Findings } from './reader.ts'
import { cut, type Frame, resync, send, signOfLife, type Stream, sweep, toFrame } from './stream.ts'
import type { Typing } from './typing.ts'

/** This many bytes are written before other work gets a turn; the second number is the cost of a write besides its bytes. */
const bytesPerTurn = 128 * 1024
const perWrite = 512

/** Sends the findings of a reader to the streams of their wallets. */
export function createDelivery(
  audience: Audience,
  guard: Guard,
  toWire: FieldRenaming['toWire'],
  log: Logger,
  clock: () => number,
) {
  const pause = createPauses()
  let sweeping = false

  /** Broadcasts one frame to many streams: it is made once, when there is a first stream. The streams in `apart` get theirs. */
  async function broadcast(
    streams: Iterable<Stream>,
    make: () => Frame,
    apart?: ReadonlyMap<Stream, Frame>,
  ): Promise<void> {
    let shared: Frame | undefined
    for (const stream of streams) {
      const frame = apart?.get(stream) ?? (shared ??= make())
      send(stream, frame)
      await pause(frame.bytes.length)
    }
  }

  const streamsIn = (chat: string, except: string) =>
    guard.guards(chat) ? guard.streamsForTyping(chat, except) : audience.inChat(chat, except)

  async function deliver(item: Item, position: number | undefined): Promise<void> {
    if (item.change !== null) audience.follow(item)
    const at = timeOf(item)
    if (at !== undefined) eventSeconds.observe(Math.max(0, clock() - at) / 1000)
    const chat = isOfChat(item) && guard.guards(item.one) ? item.one : undefined
    const streams = chat === undefined ? streamsFor(item, audience) : guard.streamsFor(chat, item.other)
    const frameOf = (json: string) => toFrame(toWire(json), position, item.id, chat)
    const apart = new Map<Stream, Frame>()
    for (const [wallet, json] of Object.entries(item.apart ?? {}))
      for (const stream of audience.of(wallet)) apart.set(stream, frameOf(json))
    await broadcast(streams, () => frameOf(item.json), apart)
  }

  return {
    /** Delivers the findings of a reader, until it stops. */
    deliverAll: async (findings: Findings): Promise<void> => {
      try {
        for await (const { item, position } of findings)
          await (item ? deliver(item, position) : broadcast(audience.streams(), () => resync(position)))
      } catch (error) {
        // Clients reconnect, and resume from what they have received.
        log.error({ err: error }, 'live events stopped: their streams are cut off')
        for (const stream of audience.streams()) cut(stream, 'broken')
      }
    },

    deliverTyping: (typing: Typing): void => {
      const { fromaddr, toaddr, nftaddr } = typing
      if (toaddr === fromaddr) return
      const event: ServiceEvent = { type: 'typing', ...typing }
      const streams = toaddr === undefined ? streamsIn(chatKey(nftaddr!), fromaddr) : audience.of(toaddr)
      void broadcast(streams, () => toFrame(JSON.stringify(event)))
    },

    deliverToAll: (event: ServiceEvent): void => {
      void broadcast(audience.streams(), () => toFrame(JSON.stringify(event)))
    },

    /** Checks every stream once: is its token valid, does it need a sign of life, does its client read? */
    async sweep(position: number | undefined): Promise<void> {
      if (sweeping) return
      sweeping = true
      const now = Date.now()
      const sign = signOfLife(position)
      for (const stream of audience.streams())
        if (sweep(stream, now, sign, position)) await pause(sign.bytes.length)
      sweeping = false
    },
  }
}

/**
 * Returns when a message was stored, in epoch milliseconds; undefined for other items. Quotes in texts are escaped, so the time
 * is the item's own.
 */
function timeOf({ kind, json }: Item): number | undefined {
  if (kind !== 'direct' && kind !== 'group') return undefined
  const [, at] = /"timestamp":"([^"]+)"/.exec(json) ?? []
  return at === undefined ? undefined : Date.parse(at)
}

function streamsFor(item: Item, audience: Audience): Iterable<Stream> {
  const { one, other } = item
  if (!isOfChat(item)) return audience.of(one, ...(other === null ? [] : [other]))
  return other === null ? audience.inChat(one) : audience.ofMember(one, other)
}

/** Gives other work a turn when many bytes have been written since the last one. */
function createPauses(): (bytes: number) => Promise<void> {
  let written = 0
  return async (bytes) => {
    written += perWrite + bytes
    if (written <= bytesPerTurn) return
    await turn()
    written = 0
  }
}
