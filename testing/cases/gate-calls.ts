// These are the calls of each endpoint about the chat of a gate (server/test/gate.test.ts): made from the contract, with a few
// exceptions.

import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { type ExampleRequest, fieldsOf, requestOf } from './callers.ts'
import { newWallet } from '../service/service.ts'

type EndpointName = keyof typeof contract

/** A wallet that may read the chat, and one that may not. */
export const [holder, peer] = [newWallet(), newWallet()]

/** Parameters and fields that name a chat, and others that may. */
const ofChats = ['nftaddr', 'community', 'contract', 'chat']
const ofAddresses = ['address', 'addr', 'name']

/** Values for one endpoint; a word says why it is not called. */
const special: Partial<Record<EndpointName, Record<string, unknown> | string>> = {
  // The chain shows everybody who owns a token, so this is another token than the poster's.
  getNft: { nftid: '999' },
  getNftOwner: { nftid: '999' },
  checkOwnership: { wallet: holder },
  listSharedChats: { walletaddr: holder },
  addModerator: { walletaddr: holder },
  removeModerator: { walletaddr: holder },
  handOverChat: { walletaddr: holder },
  restrictMember: { walletaddr: holder },
  postGroupMessage: { message: 'let me in' },
  postCommunityMessage: { message: 'let me in' },
  markReadTo: { id: 1, context_type: 'nft', nftid: undefined },
  leaveChat: { nftaddr: 'another' },
  joinChat: { chain: undefined },
  muteChat: { muted_until: null },
  sendTyping: { toaddr: undefined },
  createReport: { peer: undefined, item_ids: undefined, keys: undefined },
  createImage: { base64data: '' },
  updateImage: { base64data: '' },
  streamEvents: 'has tests of its own',
  sendDirectMessage: 'direct messages',
  markDirectMessage: 'direct messages',
  deleteComments: 'deletes comments, which are public',
  createWebhook: 'features/webhooks/chats.test.ts',
  changeWebhook: 'features/webhooks/chats.test.ts',
}

/** Returns a read for each of the chat's addresses, and a write where it names a chat; `more` stands in place of examples. */
export function requestsAbout(
  name: EndpointName,
  chat: string,
  me: string,
  more: Record<string, unknown> | string = special[name] ?? {},
): ExampleRequest[] {
  const endpoint: Endpoint = contract[name]
  const fields = fieldsOf(endpoint)
  const isRead = endpoint.method === 'GET'
  const isAsked = isRead || fields.some((field) => ofChats.includes(field) || field === 'addr')
  if (typeof more === 'string' || endpoint.access === 'operator' || !isAsked) return []
  const known = {
    toaddr: peer,
    peer,
    fromaddr: me,
    walletaddr: me,
    useraddress: me,
    wallet: me,
    id: '1',
    nftid: '1',
    time: '0',
    type: 'nft',
    ...Object.fromEntries(ofChats.map((field) => [field, chat])),
  }
  return (isRead ? [chat, me] : [chat]).map((address) =>
    requestOf(endpoint, [me, peer], {
      ...known,
      ...Object.fromEntries(ofAddresses.map((field) => [field, address])),
      ...more,
    }),
  )
}

/** The endpoints that are called. */
export const asked = (Object.keys(contract) as EndpointName[]).filter(
  (name) => requestsAbout(name, 'chat', 'me').length > 0,
)
