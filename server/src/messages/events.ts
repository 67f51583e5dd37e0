// The events of wallets besides messages: rows of the table `events`, which the live events deliver
// (live/README.md). They are built here alone, and their shape is checked against the contract.

import type { ServiceEvent } from '@parley/sdk/contract/events.ts'

type MessageType = Extract<ServiceEvent, { item: unknown }>['type']
/** Typing is never stored, and messages have tables of their own. */
type StoredEvent = Exclude<ServiceEvent, { type: MessageType | 'typing' }>

/** A `p_event` for the functions of the database. */
export const eventJson = (event: StoredEvent): string => JSON.stringify(event)

/** SQL of a message's event as JSON text; `item` is that of the message. */
export const messageEvent = (type: MessageType, item: string): string =>
  `'{"type":"${type}","item":' || ${item} || '}'`
