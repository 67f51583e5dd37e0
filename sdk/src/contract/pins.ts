import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Id, Timestamp } from './fields.ts'

/** A conversation or a chat has at most this many pinned messages. */
export const mostPins = 50

/** A pinned message. */
export const Pin = Type.Object(
  {
    id: Id,
    pinned_by: Type.String({ ...Address, description: 'the wallet that has pinned it' }),
    pinned_at: Timestamp,
  },
  { $id: 'Pin', description: 'A pinned message of a conversation or a chat' },
)
export type Pin = Static<typeof Pin>

const who = 'Either end of a conversation does this, and the owner and the moderators of a chat.'

// Spec gap: the interface has no pins.
export const pins = endpoints({
  pinMessage: {
    method: 'PUT',
    path: '/v1/pins/{id}',
    summary: 'Pin a message in its conversation or chat',
    description: `${who} Pinning twice is one pin.`,
    access: 'wallet',
    scope: 'pin:write',
    publishes: true,
    adds: 'This place already has {most} pinned messages',
  },
  unpinMessage: {
    method: 'DELETE',
    path: '/v1/pins/{id}',
    summary: 'Remove the pin of a message',
    description: who,
    access: 'wallet',
    scope: 'pin:write',
  },
  listPinsOfConversation: {
    method: 'GET',
    path: '/v1/conversation_pins/{toaddr}',
    summary: 'The pinned messages of the conversation with a wallet, the newest pin first',
    access: 'wallet',
    scope: ['inbox:read', 'dm:read', 'dm'],
    place: { peer: ['toaddr'] },
    response: Type.Array(Pin, { maxItems: mostPins }),
  },
  listPinsOfChat: {
    method: 'GET',
    path: '/v1/chat_pins/{nftaddr}',
    summary: 'The pinned messages of a chat, the newest pin first',
    access: 'wallet',
    scope: ['chat:read', 'chat'],
    place: { chat: ['nftaddr'] },
    response: Type.Array(Pin, { maxItems: mostPins }),
  },
})
