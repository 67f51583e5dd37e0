import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Made, MessageText, single, Text, Timestamp } from './fields.ts'

/** These limit the drafts of a wallet, the bytes of all their messages, and the days until a draft expires. */
export const mostDrafts = 100
export const mostDraftBytes = 256 * 1024
export const draftDays = 30

const content = {
  toaddr: Type.Optional({ ...Address, description: 'the wallet to which it would be sent: an address' }),
  nftaddr: Type.Optional({
    ...Address,
    description: 'the chat in which it would be posted: an NFT contract, or the name of a community',
    examples: ['gardeners'],
  }),
  message: MessageText('message', 'gm'),
}

/** A message that a program suggests. Only the wallet itself can read it. */
export const Draft = Type.Object(
  {
    id: Made(64, 'names the draft', ['q1vJ3mT8cK0yWz5uXb2RsA']),
    ...content,
    label: Text(100, 'the label of the API key that wrote it; empty when the wallet did', {
      examples: ['the assistant on my laptop'],
    }),
    created_at: Timestamp,
  },
  { $id: 'Draft', description: 'A message that a program suggests, and a person sends or discards' },
)
export type Draft = Static<typeof Draft>

export const NewDraft = Type.Object(content, {
  $id: 'NewDraft',
  description: 'A message to suggest: either toaddr or nftaddr says where it would go',
})
export type NewDraft = Static<typeof NewDraft>

// Spec gap: the interface has no way for a program to suggest what a person sends.
export const drafts = endpoints({
  createDraft: {
    method: 'POST',
    path: '/v1/drafts',
    summary: 'Suggest a message, which a person sends or discards',
    description: `It is sent to nobody: the web client shows it to the wallet where it would go. A wallet has ${mostDrafts} at most, whose messages have ${mostDraftBytes / 1024} KiB together, each for ${draftDays} days. Whether the wallet may write there is asked when it is sent.`,
    access: 'wallet',
    scope: 'draft:write',
    adds: 'You already have {most} drafts',
    quotas: ['bytes'],
    body: NewDraft,
    response: single(Draft),
    idempotent: true,
  },
  listDrafts: {
    method: 'GET',
    path: '/v1/drafts',
    summary: `The drafts of the caller's wallet, oldest first: ${mostDrafts} at most`,
    description: 'An API key is given only those that it has made.',
    access: 'wallet',
    scope: 'draft:write',
    response: Type.Array(Draft),
    pages: true,
  },
  deleteDraft: {
    method: 'DELETE',
    path: '/v1/drafts/{draft}',
    summary: 'Discard a draft',
    description: 'Also after it was sent. An API key may discard only those that it has made.',
    access: 'wallet',
    scope: 'draft:write',
  },
})
