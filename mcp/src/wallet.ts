import { type ApiError, type ChatItem, type Client, createClient, type Trust } from '@parley/sdk'
import type { Settings } from './settings.ts'

/** The wallet for which the server calls, and what it may do. */
export interface Wallet {
  parley: Client
  address: string
  scopes: string[]
  /** The peers from whom an encrypted message was seen, for as long as the server runs. */
  secret: Set<string>
}

/** Says why a tool refuses a request, for the model. */
export class Refused extends Error {}

/** Requests once from the service whose key it is. After a failure the next call retries. */
export function walletOf({ baseUrl, key }: Settings): () => Promise<Wallet> {
  const parley = createClient({ baseUrl, token: key, retry: { attempts: 3, longestWait: 5_000 } })
  let known: Promise<Wallet> | undefined
  const ask = async (): Promise<Wallet> => {
    const [found] = await parley.getApiKey()
    if (found?.walletaddr === undefined) throw new Refused('PARLEY_API_KEY is no API key of this service.')
    return { parley, address: found.walletaddr, scopes: found.scopes, secret: new Set() }
  }
  return () => {
    known ??= ask().catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
}

/** Throws unless the wallet has accepted the peer. A request from the peer makes no difference. */
export async function requireAccepted({ parley, address }: Wallet, peer: string): Promise<void> {
  if (peer === address) return
  const { state } = await parley.getContact({ peer })
  if (state !== 'accepted')
    throw new Refused(
      'The user has no accepted conversation with this wallet. What others have sent without being accepted is not shown here; the user decides about it in the web client.',
    )
}

/** Returns the chat as the wallet has joined it. Throws where it has not. */
export async function joinedChat({ parley, address }: Wallet, chat: string): Promise<string> {
  const joined = await parley.listBookmarks({ address })
  const found = joined.find(({ nftaddr }) => nftaddr.toLowerCase() === chat.toLowerCase())
  // In a path these two mean something else.
  if (!found || /^\.{1,2}$/.test(found.nftaddr)) throw new Refused('The user has not joined this chat.')
  return found.nftaddr
}

export const isEncrypted = (item: Pick<ChatItem, 'encrypted_sym_x_key' | 'x_access_conditions'>): boolean =>
  Boolean(item.encrypted_sym_x_key || item.x_access_conditions)

/** Remembers a peer whose conversation has an encrypted message. */
export function noteSecret({ secret }: Wallet, peer: string, items: ChatItem[]): void {
  if (items.some(isEncrypted)) secret.add(peer)
}

/** Returns what is known about a sender, for a model: facts, and no other wallet that the user knows. */
export async function factsOf({ parley, address }: Wallet, sender: string): Promise<object> {
  if (sender === address) return { is_user: true }
  try {
    const [trust] = await parley.getTrust({ peer: sender })
    return trust ? shown(trust) : { unknown: true }
  } catch (error) {
    return { unknown: (error as ApiError).code ?? true }
  }
}

const shown = ({ first_seen, first_contacts, looks_like, shared_chats, erased, chain }: Trust) => ({
  ...(first_seen && { here_since: first_seen }),
  ...(first_contacts && { of_whom_it_wrote_first_have_accepted_it: first_contacts }),
  ...(looks_like.length > 0 && { warning: 'could be taken for another wallet that the user knows' }),
  chats_in_common: shared_chats.count,
  ...(erased && { erased }),
  ...(chain.length > 0 && {
    chains: chain.map(({ chain: id, transactions, name }) => ({ id, transactions, name })),
  }),
})
