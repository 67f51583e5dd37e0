import { isEncrypted, joinedChat, type Wallet } from './wallet.ts'

/** Where a message goes: one of the two. */
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
 * Sends where the key has the scope for exactly this wallet or chat, and stores a draft everywhere else. A scope for all
 * wallets or all chats says nothing of this one: who makes such a key for a program has not thought of a model in it.
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
    return `${await draft(wallet, target, message)} The conversation is encrypted, which only the web client can do.`
  const [sent] = await parley.sendDirectMessage({ body: { fromaddr, toaddr: peer, message } })
  return `Sent, with the id ${sent!.id}.`
}

/** Whether the key was made for this wallet or chat alone. */
function mayAlone({ scopes }: Wallet, { peer, chat }: Target): boolean {
  const needed = peer === undefined ? `chat:${chat}:post` : `dm:send:${peer}`
  return scopes.some((scope) => scope.toLowerCase() === needed.toLowerCase())
}

/** Whether the two encrypt what they write. A key that may not look counts as yes. */
async function isSecret({ parley, address, scopes }: Wallet, peer: string): Promise<boolean> {
  if (!scopes.includes('inbox:read')) return true
  const query = { limit: 20, before: Number.MAX_SAFE_INTEGER }
  const items = await parley.listConversation({ fromaddr: address, toaddr: peer, query })
  return items.some(isEncrypted)
}
