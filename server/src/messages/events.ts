// The events of wallets besides messages: rows of the table `events`, which the live events deliver
// (live/README.md). Their JSON is built here alone, from SQL expressions, and its shape is checked
// against the contract by type.

import type { ServiceEvent } from '@parley/sdk/contract/events.ts'

type Of<Type extends ServiceEvent['type']> = Extract<ServiceEvent, { type: Type }>
type MessageType = Extract<ServiceEvent, { item: unknown }>['type']
/** Typing is never stored, and messages have tables of their own. */
type StoredType = Exclude<ServiceEvent['type'], MessageType | 'typing'>

/** SQL for a value: an expression, or one of the literals that the contract allows. */
type Sql<Value> = [Value] extends [string] ? (string extends Value ? string : `'${Value}'`) : string
type Fields<Event> = {
  [Name in keyof Event as Exclude<Name, 'type'>]: Sql<Exclude<Event[Name], undefined>>
}

/**
 * The beginning of an SQL statement that announces an event to a wallet: `insert … select …`. What
 * follows says where `wallet` and the fields, all SQL expressions, come from:
 * `${announce('deleted', 'wallet', {…})} from deleted`.
 */
export function announce<Type extends StoredType>(
  type: Type,
  wallet: string,
  fields: Fields<Of<Type>>,
): string {
  const pairs = Object.entries<string>({ type: `'${type}'`, ...fields }).flatMap(([name, sql]) => [
    `'${name}'`,
    sql,
  ])
  return `insert into events (walletaddr, event) select ${wallet}, jsonb_build_object(${pairs.join(', ')})`
}

/** SQL of a message's event as JSON text; `item` is that of the message. */
export const messageEvent = (type: MessageType, item: string): string =>
  `'{"type":"${type}","item":' || ${item} || '}'`
