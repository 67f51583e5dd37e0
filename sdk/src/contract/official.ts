import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, single, Timestamp } from './fields.ts'

/** The maximum number of wallets that are the team of a service. */
export const mostOfficial = 100

// Spec gap: letters, digits and what stands between them: a label holds no sign that looks like the one of clients.
export const teamLabelPattern = String.raw`^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|(?: & |[ .'-])(?=[\p{L}\p{N}])){0,31}$`

/** What a wallet of a team does, in words of who has named it. */
export const TeamLabel = Type.String({
  pattern: teamLabelPattern,
  maxLength: 64,
  description:
    'what it does for the team, as clients show it: 1 to 32 letters and digits, with single spaces, dots, hyphens, apostrophes and & between them',
  examples: ['Support'],
})

/** A wallet of the team of the service. */
export const OfficialWallet = Type.Object(
  { address: Address, label: TeamLabel, since: Timestamp },
  { $id: 'OfficialWallet', description: 'A wallet that is on the team of the service' },
)
export type OfficialWallet = Static<typeof OfficialWallet>

const NewOfficial = Type.Object(
  { label: TeamLabel },
  { $id: 'NewOfficial', description: 'What a wallet does for the team of the service' },
)

const soon = 'Every instance follows within two seconds. The log of operators has an entry.'

// Spec gap: the interface has nobody who speaks for the service.
export const official = endpoints({
  listOfficial: {
    method: 'GET',
    path: '/v1/official',
    summary: 'The wallets that are the team of the service',
    description: `Its administrator or an operator has named each. At most ${mostOfficial}. For everybody, without a sign-in; a proxy may keep it for half a minute. Clients show their sign beside the wallets of this list, and beside no others.`,
    access: 'public',
    limit: 'static',
    response: Type.Array(OfficialWallet, { maxItems: mostOfficial }),
  },
  getOfficial: {
    method: 'GET',
    path: '/v1/official/{walletaddr}',
    summary: 'Whether a wallet is on the team of the service',
    description: 'Empty when it is not. For everybody, without a sign-in.',
    access: 'public',
    limit: 'static',
    response: single(OfficialWallet),
  },
  addOfficial: {
    method: 'PUT',
    path: '/v1/mod/official/{walletaddr}',
    summary: 'Name a wallet as one of the team, or change its label',
    description: `Not one's own: another operator does that, or the administrator (\`npm run parley -- official add\`). ${soon}`,
    access: 'operator',
    recent: true,
    adds: 'This service already has {most} wallets of its team',
    body: NewOfficial,
    response: single(OfficialWallet),
  },
  removeOfficial: {
    method: 'DELETE',
    path: '/v1/mod/official/{walletaddr}',
    summary: 'Take a wallet off the team',
    description: `Its name stays, and clients say that it is not official. ${soon}`,
    access: 'operator',
    recent: true,
  },
})
