import type { ChatItem, GroupChatItem, PublishedKey } from '@parley/sdk'
import { joinedChat, noteSecret, Refused, requireAccepted, type Wallet } from './wallet.ts'

/** The target of a message: one of the two. */
export interface Target {
  peer?: string | undefined
  chat?: string | undefined
}

const confirm = 'It is not sent: the user sees it in the web client, and sends or discards it there.'

/** Stores a message as a draft, which a person sends or discards. */
export async function draft({ parley }: Wallet, { peer, chat }: Target, message: string): Promise<string> {
  const body = peer === undefined ? { nftaddr: chat!, message } : { toaddr: peer, message }
  const [stored] = await parley.createDraft({ body })
  return `Draft ${stored!.id} is stored. ${confirm}`
}

/**
 * Sends where the key has the scope for exactly this wallet or chat, and stores a draft everywhere else. A scope for all wallets
 * or all chats says nothing about this one: a person who makes such a key for a program has not thought of a model in it.
 */
export async function send(
  wallet: Wallet,
  target: Target,
  message: string,
  reply_to?: number,
): Promise<string> {
  const { peer, chat } = target
  const suggest = async () =>
    `${await draft(wallet, target, message)}${reply_to === undefined ? '' : ' A draft replies to no message: the text stands alone.'}`
  if (!mayAlone(wallet, target))
    return `${await suggest()} The key may not send here by itself: that takes the scope ${scopeOf(target)}.`
  const { parley, address: fromaddr } = wallet
  const content = { fromaddr, message, ...(reply_to !== undefined && { reply_to }) }
  if (peer === undefined) {
    const nftaddr = await joinedChat(wallet, chat!)
    const [posted] = await parley.postGroupMessage({ body: { ...content, nftaddr } })
    return `Posted, with the id ${posted!.id}.`
  }
  if (await isSecret(wallet, peer))
    return `${await suggest()} What the two write is encrypted, which only the web client can do.`
  const [sent] = await parley.sendDirectMessage({ body: { ...content, toaddr: peer } })
  return `Sent, with the id ${sent!.id}.`
}

/** What a model changes of a message: the one with this id, as it stood when it was read. */
interface Change {
  id: number
  revision: number
}

/** Replaces the text of a message that the user has sent. It is never a draft: where the key may not, nothing happens. */
export async function edit(
  wallet: Wallet,
  target: Target,
  { id, revision }: Change,
  message: string,
): Promise<string> {
  const item = await changeable(wallet, target, 'message:edit', id)
  if (item.fromaddr !== wallet.address)
    throw new Refused('The user has not sent this message: only its author edits it.')
  await wallet.parley.editMessage({ id, body: { message, revision } })
  return `Message ${id} is edited. What stood before can be seen by all who read it.`
}

/** Replaces the reactions of the user to a message. */
export async function react(wallet: Wallet, target: Target, id: number, values: string[]): Promise<string> {
  await changeable(wallet, target, 'reaction:write', id)
  await wallet.parley.react({ id, body: { values } })
  return values.length === 0
    ? `The user has no reaction to message ${id} now.`
    : `The reactions of the user to message ${id} are these alone now.`
}

/**
 * Returns a message that a model may change. An id alone can be of any conversation, also of a request, so the message must be in
 * the place that the caller names, and the key must be made for exactly this place too.
 */
async function changeable(
  wallet: Wallet,
  target: Target,
  scope: string,
  id: number,
): Promise<ChatItem | GroupChatItem> {
  if (!wallet.scopes.includes(scope) || !mayAlone(wallet, target))
    throw new Refused(
      `The key may not do this here. It takes two scopes: ${scope}, and ${scopeOf(target)} for exactly this ${target.peer === undefined ? 'chat' : 'wallet'}.`,
    )
  const { parley, address } = wallet
  const query = { after: id - 1, limit: 1 }
  if (target.peer === undefined) {
    const chat = await joinedChat(wallet, target.chat!)
    return found(
      await parley.listGroupMessages({
        address: chat,
        useraddress: address,
        query: { ...query, enter: false },
      }),
      id,
    )
  }
  await requireAccepted(wallet, target.peer)
  if (await isSecret(wallet, target.peer))
    throw new Refused('What the two write is encrypted: only the web client changes that.')
  return found(await parley.listConversation({ fromaddr: address, toaddr: target.peer, query }), id)
}

function found<Item extends { id: number }>(items: Item[], id: number): Item {
  const item = items.find((one) => one.id === id)
  if (!item) throw new Refused('There is no message with this id here: the tool read shows the ids.')
  return item
}

const scopeOf = ({ peer }: Target): string => (peer === undefined ? 'chat:<chat>:post' : `dm:send:${peer}`)

/** Returns true when the key was made only for this wallet or chat. */
function mayAlone({ scopes }: Wallet, { peer, chat }: Target): boolean {
  const needed = peer === undefined ? `chat:${chat}:post` : `dm:send:${peer}`
  return scopes.some((scope) => scope.toLowerCase() === needed.toLowerCase())
}

/**
 * Returns true when the two encrypt what they write: both have published a key, or an encrypted message was seen, now or before.
 * The number of messages in clear after it makes no difference. A key that may not read this counts as yes.
 */
async function isSecret(wallet: Wallet, peer: string): Promise<boolean> {
  const { parley, address, scopes, secret } = wallet
  if (!scopes.includes('inbox:read') || secret.has(peer)) return true
  const query = { limit: 100, before: Number.MAX_SAFE_INTEGER }
  const [own, theirs, items] = await Promise.all([
    parley.getKey({ address }),
    parley.getKey({ address: peer }),
    parley.listConversation({ fromaddr: address, toaddr: peer, query }),
  ])
  noteSecret(wallet, peer, items)
  return secret.has(peer) || (hasKey(own) && hasKey(theirs))
}

const hasKey = ([published]: PublishedKey[]): boolean => Boolean(published?.public_key)
