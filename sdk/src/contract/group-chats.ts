import { type Static, Type } from 'typebox'
import { Address, Id, Timestamp } from './fields.ts'

/** A message in an NFT chat or a community. */
export const GroupChatItem = Type.Object(
  {
    id: Id,
    // Spec gap: the values of context_type and type.
    context_type: Type.String({ description: 'where it was posted: nft or community', examples: ['nft'] }),
    type: Type.String({ description: 'the kind of message: message', examples: ['message'] }),
    fromaddr: Address,
    nftaddr: Type.String({
      description: 'the NFT contract or the community, as the sender wrote it',
      examples: ['0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'],
    }),
    message: Type.String({ description: 'the message', examples: ['gm'] }),
    sender_name: Type.String({
      description: "the sender's name, empty when it has none",
      examples: ['vitalik'],
    }),
    timestamp: Timestamp,
    timestamp_dtm: Timestamp,
  },
  { $id: 'GroupChatItem', description: 'A message in an NFT chat or a community' },
)
export type GroupChatItem = Static<typeof GroupChatItem>
