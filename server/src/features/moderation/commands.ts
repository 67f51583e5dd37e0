// These are the commands of `npm run parley` about operators. They have a connection of their own, beside a service that may run.

import { accountOf } from '@parley/sdk/accounts.ts'
import type { BlockedFile } from '@parley/sdk/contract/blocked-files.ts'
import { openSession } from '../../db/session.ts'
import type { OnProgress } from '../../lib/progress.ts'
import { canonicalAddress } from '../../values/formats.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { block, findBlocked, unblock } from '../../messages/blocked-files.ts'
import { append, verifyLog } from '../../messages/operator-log.ts'
import * as store from './store.ts'

/** Adds, removes or lists operators; returns the text to print. Each change is in the log. */
export async function changeOperators(
  databaseUrl: string,
  what: string | undefined,
  given: string | undefined,
): Promise<string> {
  await using session = await openSession(databaseUrl, 'parley operator')
  if (what === 'list') {
    const operators = await store.findOperators(session)
    const lines = operators.map(
      ({ address, added_ms }) => `${address} since ${new Date(added_ms).toISOString()}`,
    )
    return lines.join('\n') || 'There are no operators.'
  }
  if (what !== 'add' && what !== 'remove')
    throw new Error('Say what: npm run parley -- operator add|remove|list [<address>]')
  const address = canonicalAddress(given ?? '')
  if (!accountOf(address))
    throw new Error('Say which wallet: 0x and 40 hexadecimal digits, or an address of Solana.')
  const now = Date.now()
  await session.query('begin')
  const isChanged =
    what === 'add'
      ? await store.addOperator(session, address, now)
      : await store.removeOperator(session, address)
  if (isChanged)
    await append(
      { query: session.query, now: () => now },
      {
        operator: commandLine,
        action: `operator_${what}`,
        subject: address,
        until: null,
        reason: '',
        reports: [],
        item: null,
      },
    )
  await session.query('commit')
  if (what === 'add')
    return isChanged ? `${address} is an operator, in a few seconds.` : `${address} was an operator already.`
  return isChanged ? `${address} is no operator any more, in a few seconds.` : `${address} was no operator.`
}

/** Blocks files by their hash, takes one again, or lists them; returns the text to print. Each change is in the log. */
export async function changeBlockedFiles(
  databaseUrl: string,
  what: string | undefined,
  sha256: string | undefined,
  reason: string | undefined,
): Promise<{ text: string; files?: BlockedFile[] }> {
  await using session = await openSession(databaseUrl, 'parley blocked-file')
  if (what === 'list') {
    const files = await findBlocked(session, { limit: 100_000 })
    const lines = files.map((one) => `${one.sha256} since ${one.at}, by ${one.operator}: ${one.reason}`)
    return { text: lines.join('\n') || 'No file is blocked.', files }
  }
  if (!/^[0-9a-f]{64}$/.test(sha256 ?? ''))
    throw new Error('Say which file: 64 lower-case hexadecimal digits, as sha256sum prints them.')
  if ((what === 'add' || reason !== undefined) && !/^[^\p{C}]{1,512}$/u.test(reason ?? ''))
    throw new Error('Say why, in up to 512 characters: --reason "…". It is in the log of operators.')
  const now = Date.now()
  const tx = { query: session.query, now: () => now }
  await session.query('begin')
  const isChanged =
    what === 'add'
      ? (await block(tx, { operator: commandLine, sha256: sha256!, reason: reason! })).isNew
      : await unblock(tx, { operator: commandLine, sha256: sha256!, reason })
  await session.query('commit')
  if (what === 'add')
    return {
      text: isChanged
        ? 'The service takes this file no longer, and deletes those it has within minutes.'
        : 'This file was blocked already.',
    }
  return { text: isChanged ? 'The service takes this file again.' : 'This file was not blocked.' }
}

/** Prints the messages of a wallet or chat that is held, a line of JSON for each. The log notes that they were read. */
export async function printHeld(
  databaseUrl: string,
  given: string | undefined,
  print: (line: string) => void,
): Promise<string> {
  if (!given) throw new Error('Say of whom: npm run parley -- held <wallet, or the nftaddr of a chat>')
  await using session = await openSession(databaseUrl, 'parley held')
  const subject = canonicalAddress(given)
  const now = Date.now()
  await session.query('begin')
  await append(
    { query: session.query, now: () => now },
    { operator: commandLine, action: 'view_held', subject, until: null, reason: '', reports: [], item: null },
  )
  await session.query('commit')
  let printed = 0
  for (let last = 0; ;) {
    const rows = await session.query<{ id: number; item: string }>(
      `select id::float8 as id, (to_jsonb(h) - 'item' || item::jsonb)::text as item from held_messages h
       where (fromaddr = $1 or toaddr = $1 or chat = $2) and id > $3 order by id limit 1000`,
      [subject, chatKey(subject), last],
    )
    for (const { item } of rows) print(item)
    printed += rows.length
    if (rows.length < 1000) return `# ${printed} ${printed === 1 ? 'message was' : 'messages were'} kept`
    last = rows.at(-1)!.id
  }
}

/** The log names this as the operator. */
const commandLine = 'command-line'

/** Checks the log of operators, and that it has the row with a hash that was noted earlier. */
export async function auditLog(databaseUrl: string, noted: string | undefined, onProgress: OnProgress) {
  await using session = await openSession(databaseUrl, 'parley audit')
  // It is awaited, because the connection is closed when this returns.
  return await verifyLog(session, { noted, onProgress: (part) => onProgress('moderation_log', part, 1) })
}
