import type { PublishedKey } from '@parley/sdk'
import { joinedChat, noteSecret, type Wallet } from './wallet.ts'

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
export async function send(wallet: Wallet, target: Target, message: string): Promise<string> {
  const { peer, chat } = target
  if (!mayAlone(wallet, target))
    return `${await draft(wallet, target, message)} The key may not send here by itself: that takes the scope ${peer === undefined ? 'chat:<chat>:post' : `dm:send:${peer}`}.`
  const { parley, address: fromaddr } = wallet
  if (peer === undefined) {
    const nftaddr = await joinedChat(wallet, chat!)
    const [posted] = await parley.postGroupMessage({ body: { fromaddr, nftaddr, message } })
    return `Posted, with the id ${posted!.id}.`
  }
  if (await isSecret(wallet, peer))
    return `${await draft(wallet, target, message)} What the two write is encrypted, which only the web client can do.`
  const [sent] = await parley.sendDirectMessage({ body: { fromaddr, toaddr: peer, message } })
  return `Sent, with the id ${sent!.id}.`
}

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
