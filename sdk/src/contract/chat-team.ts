import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Timestamp } from './fields.ts'
import { TeamLabel } from './official.ts'

/** The maximum number of wallets that the team of a chat has. */
export const mostInChatTeam = 20

/** A wallet of the team of a chat. */
export const ChatTeamMember = Type.Object(
  { walletaddr: Address, label: TeamLabel, since: Timestamp },
  { $id: 'ChatTeamMember', description: 'A wallet that is on the team of a chat' },
)
export type ChatTeamMember = Static<typeof ChatTeamMember>

const Team = Type.Array(ChatTeamMember, { maxItems: mostInChatTeam })

const NewChatTeamMember = Type.Object(
  { label: TeamLabel },
  { $id: 'NewChatTeamMember', description: 'What a wallet does for the team of a chat' },
)

// Spec gap: the interface has nobody who speaks for a community.
export const chatTeam = endpoints({
  listChatTeam: {
    method: 'GET',
    path: '/v1/chats/{nftaddr}/team',
    summary: 'The team of a chat, as its owner has named it',
    description: `For all who may read it. At most ${mostInChatTeam}. It is not the team of the service: clients show it inside of this chat alone.`,
    access: 'wallet',
    scope: ['chat:read', 'chat'],
    place: { chat: ['nftaddr'] },
    response: Team,
  },
  addToChatTeam: {
    method: 'PUT',
    path: '/v1/chats/{nftaddr}/team/{walletaddr}',
    summary: 'Name a wallet as one of the team of a chat, or change its label',
    description: 'For its owner: others are 403. The log of the chat has an entry.',
    access: 'wallet',
    publishes: true,
    adds: 'The team of this chat already has {most} wallets',
    needsRoom: false,
    body: NewChatTeamMember,
    response: Team,
  },
  removeFromChatTeam: {
    method: 'DELETE',
    path: '/v1/chats/{nftaddr}/team/{walletaddr}',
    summary: 'Take a wallet off the team of a chat',
    description: 'For the owner of the chat, and for the wallet itself.',
    access: 'wallet',
  },
})
