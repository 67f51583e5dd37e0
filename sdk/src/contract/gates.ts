import { endpoints } from './endpoint.ts'
import { GateStanding, GateTry } from './gate-answers.ts'
import { Gate, NewGate } from './gate-models.ts'

export type { Gate } from './gate-models.ts'

const forOwner = 'For its owner: others are 403.'
const meaning =
  'A wallet may read when it meets `read`, and post when it meets both. A room of a community asks for the rules of the community too. The chat of an NFT contract is for its holders besides. The owner and the moderators always get in.'

// Spec gap: the interface opens communities to any signed-in wallet. Their owner may narrow that.
export const gates = endpoints({
  getGate: {
    method: 'GET',
    path: '/v1/chats/{nftaddr}/gate',
    summary: 'What it takes to get into a chat',
    description: `For any signed-in wallet, so that one knows before. ${meaning} Wallets of a list are shown to the owner and the moderators; others get their number, and themselves.`,
    access: 'wallet',
    scope: ['chat:read', 'chat'],
    place: { chat: ['nftaddr'] },
    response: Gate,
  },
  setGate: {
    method: 'PUT',
    path: '/v1/chats/{nftaddr}/gate',
    summary: 'Choose who gets into a chat, and who posts in it',
    description: `${forOwner} ${meaning} The service reads symbol, name and decimals of each contract now, and counts by these: 400 for a contract that is not of its standard, 502 while the chain does not answer. It replaces what there was. Every instance follows within two seconds.`,
    access: 'wallet',
    publishes: true,
    needsRoom: false,
    body: NewGate,
    response: Gate,
  },
  removeGate: {
    method: 'DELETE',
    path: '/v1/chats/{nftaddr}/gate',
    summary: 'Open a chat again',
    description: `${forOwner} Every instance follows within two seconds.`,
    access: 'wallet',
  },
  tryGate: {
    method: 'POST',
    path: '/v1/chats/{nftaddr}/gate/try',
    summary: 'Find out whom a gate would leave out, before it is set',
    description: `${forOwner} Nothing is stored. At most 100 members are checked, in at most eight seconds and at the expense of the caller's blockchain lookups: of a larger chat that is a random sample.`,
    access: 'wallet',
    limit: 'account',
    changes: 0,
    needsRoom: false,
    body: NewGate,
    response: GateTry,
  },
  getGateStanding: {
    method: 'GET',
    path: '/v1/chats/{nftaddr}/gate/mine',
    summary: 'What the caller has and lacks for a chat',
    description:
      'For the caller alone. What it lacked is read from the chains again, so a token that it has just received counts at once.',
    access: 'wallet',
    scope: ['chat:read', 'chat'],
    place: { chat: ['nftaddr'] },
    response: GateStanding,
  },
})
