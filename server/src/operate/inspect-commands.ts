// These commands read and change nothing: wallet, chat. The command `status` is in status.ts.

import { accountOf } from '@parley/sdk/accounts.ts'
import { chatKey } from '../messages/chat-key.ts'
import type { Config } from '../config/settings.ts'
import { openSession, type Session } from '../db/session.ts'
import { canonicalAddress } from '../values/formats.ts'
import { openExisting } from './database.ts'
import * as store from './store.ts'
import { linesOf, type Result, timeOf } from './terminal.ts'

async function openRead(config: Config): Promise<Session & AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await openExisting(config))
  const session = stack.use(await openSession(database.url, 'parley look'))
  const open = stack.move()
  return { ...session, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

const wordsOfSanctions = (all: { kind: string; until_ms: number | null }[]) =>
  all
    .map(({ kind, until_ms }) => `${kind} ${until_ms === null ? 'forever' : `until ${timeOf(until_ms)}`}`)
    .join(', ') || 'none'

export async function wallet(config: Config, given: string): Promise<Result> {
  const address = canonicalAddress(given)
  if (!accountOf(address))
    throw new Error('Say which wallet: 0x and 40 hexadecimal digits, or an address of Solana.')
  await using session = await openRead(config)
  const facts = await store.getWallet(session, address)
  const sanctions = await store.findSanctions(session, address)
  return {
    text: linesOf([
      ['wallet', address],
      ['first sign-in', timeOf(facts.first_ms)],
      ['name', facts.name ?? 'none'],
      [
        'conversations',
        `${facts.conversations}, ${facts.unread} messages unread, ${facts.requests} requests`,
      ],
      ['chats joined', String(facts.chats)],
      ['sessions', String(facts.sessions)],
      ['mails', facts.has_mail ? 'confirmed address' : 'none'],
      ['encryption', facts.encrypts ? 'set up' : 'not set up'],
      ['operator', facts.is_operator ? 'yes' : 'no'],
      ['sanctions', wordsOfSanctions(sanctions)],
    ]),
    data: { address, ...facts, sanctions },
  }
}

export async function chat(config: Config, given: string): Promise<Result> {
  const key = chatKey(given)
  await using session = await openRead(config)
  const facts = await store.getChat(session, key)
  if (!facts) throw new Error(`There is no chat ${given}: nobody has posted in it or joined it.`)
  const [roles, sanctions] = [await store.findRoles(session, key), await store.findSanctions(session, key)]
  return {
    text: linesOf([
      ['chat', `${facts.nftaddr} (${facts.kind})`],
      ['messages', `${facts.messages}, the last one ${timeOf(facts.last_ms)}`],
      ['members', String(facts.members)],
      ['moderated by', roles.map(({ walletaddr, role }) => `${walletaddr} (${role})`).join(', ') || 'nobody'],
      ['posts that wait', String(facts.waiting)],
      ['muted or banned', `${facts.restricted} wallets`],
      ['sanctions', wordsOfSanctions(sanctions)],
    ]),
    data: { ...facts, roles, sanctions },
  }
}
