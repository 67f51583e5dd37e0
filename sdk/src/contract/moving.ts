import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, addressesOf, single, Timestamp, Zip } from './fields.ts'

/** The maximum number of imported people in one call. */
export const mostAskedImported = 50
/** A wallet has at most this many names from elsewhere. */
export const mostClaims = 100

export const ImportedAddress = Type.String({
  ...Address,
  description: 'the address of a person who was imported from elsewhere',
  examples: ['discord:1234'],
})

/** Says which wallet an imported person has here. */
export const ImportedClaim = Type.Object(
  {
    address: ImportedAddress,
    walletaddr: { ...Address, description: 'the wallet of this person' },
    name: Type.String({
      'x-invisible': 'allowed',
      maxLength: 128,
      description: 'the name that the person had there; empty when it is not known',
      examples: ['Rosa'],
    }),
    since: Timestamp,
  },
  { $id: 'ImportedClaim', description: 'Which wallet an imported person has here' },
)
export type ImportedClaim = Static<typeof ImportedClaim>

/** What an event says of a claim that was made or has ended. */
export const ClaimChange = {
  address: ImportedAddress,
  nftaddr: Type.Optional(
    Type.String({
      ...Address,
      description: 'a chat that the wallet has joined and that has messages of this person',
      examples: ['gardeners'],
    }),
  ),
}
export const claimChanged =
  'A wallet took over the name of an imported person, or no longer has it: `listImportedClaims` says what holds now. Members of the chats that have messages of the person get it with `nftaddr`, and the wallet itself without'

const NewClaim = Type.Object(
  {
    code: Type.String({
      pattern: '^[0-9A-Za-z -]{1,64}$',
      maxLength: 64,
      description:
        'the code from the administrator: 20 letters and digits. Case, spaces and hyphens do not matter',
      examples: ['7KQM-3FXP-V2TA-9HWC-E4RN'],
    }),
  },
  { $id: 'NewClaim', description: 'A code that proves who an imported person is' },
)

/** An owner downloads the history of a chat this many times in a day. */
export const exportsOfDay = 3

// Spec gap: the interface has nobody who was imported, and no way for a community to leave.
export const moving = endpoints({
  claimImported: {
    method: 'POST',
    path: '/v1/imported/claimed',
    summary: 'Take over the name and the messages of an imported person',
    description: `The administrator of the service makes the code (\`npm run parley -- claim-code\`). It can be used once. The messages stay those of the imported person: nobody can edit them. Clients show the wallet with them, and the wallet can remove them, has them in its export, and takes their name away when it is erased. 404 for a code that is wrong, was used or has expired; after a few of these, 429.`,
    access: 'wallet',
    publishes: true,
    limit: 'account',
    adds: 'You already have {most} names from elsewhere',
    body: NewClaim,
    response: single(ImportedClaim),
  },
  listOwnImported: {
    method: 'GET',
    path: '/v1/imported/claimed',
    summary: 'The imported people that the caller was elsewhere',
    access: 'wallet',
    response: Type.Array(ImportedClaim, { maxItems: mostClaims }),
  },
  releaseImported: {
    method: 'DELETE',
    path: '/v1/imported/claimed/{imported}',
    summary: 'Say that an imported person is not the caller',
    description:
      'The messages are again those of a person without a wallet here. The code does not work again; the administrator can make another one.',
    access: 'wallet',
  },
  listImportedClaims: {
    method: 'GET',
    path: '/v1/imported/claims',
    summary: 'Which wallets some imported people have here',
    description: 'Those without a wallet are left out.',
    access: 'wallet',
    scope: 'public:read',
    query: Type.Object({
      addresses: addressesOf(mostAskedImported, 'imported people', 'discord:1234'),
    }),
    response: Type.Array(ImportedClaim, { maxItems: mostAskedImported }),
  },
  exportChat: {
    method: 'GET',
    path: '/v1/chats/{nftaddr}/export',
    summary: 'Everything that was said in a chat, as a ZIP',
    description: `For its owner: others are 403. Of a community it has its chat and its rooms. \`chat.jsonl\` has a line for each person and each message, \`files\` has the files of messages, and \`README.txt\` describes them; another Parley imports the archive. What was removed, what waits for a moderator and what only its author sees is not in it. At most ${exportsOfDay} exports of a chat are made within 24 hours.

The archive is made while it is sent, not at one instant. An answer that breaks off is an incomplete ZIP.`,
    access: 'wallet',
    limit: 'account',
    response: Zip,
    produces: 'application/zip',
  },
})
