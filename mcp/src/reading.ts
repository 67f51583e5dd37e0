import { isEmoji } from '@parley/sdk/unseen'
import type { ChatItem, GroupChatItem, InboxItem } from '@parley/sdk'
import { quote } from './quote.ts'
import { factsOf, isEncrypted, joinedChat, noteSecret, requireAccepted, type Wallet } from './wallet.ts'

/** Characters of a preview, and of a text. */
const previewLength = 200
const textLength = 8_000
/** The maximum number of senders in a chat for which facts are requested. */
const mostSenders = 10

/** The number of newest messages, and only those with a smaller id. */
interface Part {
  newest: number
  before?: number | undefined
}

/** Returns the main part of the inbox: what the wallet has accepted and joined. */
export async function readInbox(wallet: Wallet, newest: number): Promise<string> {
  const rows = await wallet.parley.getInbox({
    address: wallet.address,
    query: { view: 'main', limit: newest },
  })
  const shown = rows.filter(({ context_type, state }) => context_type !== 'dm' || state === 'accepted')
  return quote(
    `The inbox of the user (${wallet.address}): accepted conversations and joined chats, newest first.`,
    shown.map((row) => rowOf(row, wallet.address)),
    {
      keep: 'first',
      leftOut: (count) => `The ${count} oldest are left out: the web client shows them.`,
    },
  )
}

function rowOf(row: InboxItem, own: string): object {
  const encrypted = isEncrypted(row)
  const where =
    row.context_type === 'dm'
      ? { peer: row.fromaddr === own ? row.toaddr : row.fromaddr, name: row.name }
      : { chat: row.nftaddr, name: row.name }
  return {
    ...where,
    unread: row.unread,
    ...(row.id > 0 && {
      last: {
        from: row.fromaddr,
        at: row.timestamp,
        ...(encrypted ? { encrypted } : { text: cut(row.message, previewLength) }),
      },
    }),
  }
}

/** Returns the newest messages of a conversation that is accepted. */
export async function readConversation(
  wallet: Wallet,
  peer: string,
  { newest, before }: Part,
): Promise<string> {
  await requireAccepted(wallet, peer)
  const items = await wallet.parley.listConversation({
    fromaddr: wallet.address,
    toaddr: peer,
    query: { limit: newest, before: before ?? Number.MAX_SAFE_INTEGER },
  })
  noteSecret(wallet, peer, items)
  return quoteMessages(
    wallet,
    `The newest messages between the user (${wallet.address}) and ${peer}, oldest first.`,
    items,
  )
}

/** Returns the newest messages of a chat that is joined. They stay unread. */
export async function readChat(wallet: Wallet, chat: string, { newest, before }: Part): Promise<string> {
  const address = await joinedChat(wallet, chat)
  const items = await wallet.parley.listGroupMessages({
    address,
    useraddress: wallet.address,
    query: { limit: newest, before: before ?? Number.MAX_SAFE_INTEGER, enter: false },
  })
  return quoteMessages(
    wallet,
    `The newest posts of a chat that the user (${wallet.address}) has joined, oldest first.`,
    items,
  )
}

interface Words extends Part {
  words: string
  peer?: string | undefined
  chat?: string | undefined
}

/** Returns messages that have some words, of accepted conversations and joined chats. */
export async function searchMessages(
  wallet: Wallet,
  { words, peer, chat, newest, before }: Words,
): Promise<string> {
  if (peer !== undefined) await requireAccepted(wallet, peer)
  const joined = chat === undefined ? undefined : await joinedChat(wallet, chat)
  const found = await wallet.parley.search({
    body: {
      q: words,
      limit: newest,
      ...(peer !== undefined && { peer }),
      ...(joined !== undefined && { chat: joined }),
      ...(before !== undefined && { before }),
    },
  })
  const hits = found.flatMap((one) => ('item' in one ? [one.item] : []))
  const rest = found.find((one) => !('item' in one))
  const peers = new Set(hits.flatMap((item) => peerOf(wallet, item) ?? []))
  const accepted = new Map(
    await Promise.all([...peers].map(async (one) => [one, await isAccepted(wallet, one)] as const)),
  )
  const shown = hits.filter((item) => accepted.get(peerOf(wallet, item) ?? '') ?? true)
  const next =
    hits.length === newest ? hits.at(-1)!.id : rest && 'searched_to' in rest ? rest.searched_to : undefined
  return quote(
    `Messages that have these words, newest first, of what the user (${wallet.address}) has accepted and joined.${next === undefined ? '' : ` There may be older ones: call search with before: ${next}.`}`,
    shown.map((item) => Object.assign(placeOf(wallet, item), messageOf(item))),
    { keep: 'first', leftOut: (count) => `The ${count} oldest of these are left out.` },
  )
}

const isAccepted = (wallet: Wallet, peer: string) =>
  requireAccepted(wallet, peer).then(
    () => true,
    () => false,
  )

const peerOf = ({ address }: Wallet, item: ChatItem | GroupChatItem): string | undefined =>
  'toaddr' in item ? (item.fromaddr === address ? item.toaddr : item.fromaddr) : undefined

const placeOf = (wallet: Wallet, item: ChatItem | GroupChatItem): object =>
  'toaddr' in item ? { peer: peerOf(wallet, item) } : { chat: item.nftaddr }

async function quoteMessages(
  wallet: Wallet,
  what: string,
  items: (ChatItem | GroupChatItem)[],
): Promise<string> {
  const senders = [...new Set(items.map(({ fromaddr }) => fromaddr).toReversed())]
  const known = await Promise.all(
    senders.slice(0, mostSenders).map(async (address) => [address, await factsOf(wallet, address)] as const),
  )
  const facts = new Map(known)
  return quote(what, items.map(messageOf), {
    head: senders.map((sender) => ({ sender, facts: facts.get(sender) ?? 'not asked' })),
    keep: 'last',
    leftOut: (count) =>
      `The ${count} oldest of these ${items.length} are left out: to read them, call read with before: ${items[count]?.id}.`,
  })
}

function messageOf(item: ChatItem | GroupChatItem): object {
  const encrypted = 'toaddr' in item && isEncrypted(item)
  const removed = 'removed' in item && item.removed
  return {
    id: item.id,
    from: item.fromaddr,
    name: item.sender_name,
    at: item.timestamp,
    ...(item.reply_to !== undefined && { reply_to: item.reply_to }),
    ...(item.revision !== undefined && { revision: item.revision, edited_at: item.edited_at }),
    ...(item.pinned && { pinned: true }),
    ...(encrypted && { encrypted }),
    ...(removed && { removed }),
    ...(!encrypted && !removed && { text: cut(item.message, textLength) }),
    ...(item.files && !removed && { files: item.files.map(fileOf) }),
    ...(item.reactions && { reactions: item.reactions.map(reactionOf) }),
  }
}

/** Returns what a model learns of a file: never its bytes, and of an encrypted one its size alone. */
const fileOf = ({ name, type, size, alt, sealed }: NonNullable<ChatItem['files']>[number]): object => ({
  ...(sealed ? { encrypted: true } : { name, type, alt }),
  size,
})

/** Returns a reaction for a model: an emoji, and never a value that the two wallets have encrypted. */
const reactionOf = ({ value, count, mine }: NonNullable<ChatItem['reactions']>[number]): object => ({
  ...(isEmoji(value) ? { value } : { encrypted: true }),
  count,
  ...(mine && { mine }),
})

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)} [cut, ${text.length} characters in all]` : text
