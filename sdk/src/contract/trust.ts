import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { mostChains } from './service.ts'
import { isBot } from './bots.ts'
import { Address, Made, Name, single, Text, Timestamp } from './fields.ts'
import { SharedChat } from './bookmarks.ts'

/** The maximum number of wallets listed that look similar: by their digits, and by their name. */
export const mostLookAlikes = 5
/** The maximum number of chats for which the service checks a token of the wallet: each check is a query to the chains. */
export const mostTokensAsked = 5

const LookAlike = Type.Object(
  {
    address: Address,
    why: Type.Union([Type.Literal('digits'), Type.Literal('name')], {
      description:
        'digits: both addresses begin and end with the same four hexadecimal digits. name: its name is the one that the caller has given that wallet',
      examples: ['digits'],
    }),
  },
  { $id: 'LookAlike', description: 'A wallet that the caller knows, for which this one could be taken' },
)

const ChainFacts = Type.Object(
  {
    chain: Made(16, 'the id of the chain (EIP-155)', ['1']),
    is_contract: Type.Boolean({
      description: 'whether there is code at the address, as of a smart wallet',
      examples: [false],
    }),
    transactions: Type.Union(
      [Type.Literal('0'), Type.Literal('1-9'), Type.Literal('10-99'), Type.Literal('100+')],
      { description: 'how many transactions it has sent there', examples: ['10-99'] },
    ),
    name: Type.Optional(
      Text(1024, 'its name in ENS on this chain, confirmed in both directions', {
        examples: ['vitalik.eth'],
      }),
    ),
    checked_at: Timestamp,
  },
  { $id: 'ChainFacts', description: 'What a chain knows of an address' },
)
export type ChainFacts = Static<typeof ChainFacts>

const Holds = Type.Object(
  {
    nftaddr: Address,
    holds: Type.Boolean({ description: 'whether it holds a token of this contract', examples: [true] }),
    checked_at: Timestamp,
  },
  { $id: 'Holds', description: 'Whether a wallet holds a token of a chat that the caller has joined' },
)

/** The known facts about a wallet with their source, never a score. */
export const Trust = Type.Object(
  {
    address: Address,
    name: Name('its name on this service; empty without one'),
    is_bot: isBot,
    first_seen: Type.Optional(
      Made(7, 'the month (UTC) in which it signed in here first; left out when it never did', ['2026-09']),
    ),
    erased: Type.Optional(
      Type.Literal(true, {
        description: 'it has erased its account here, and not come back',
        examples: [true],
      }),
    ),
    shared_chats: Type.Object(
      {
        count: Type.Integer({ minimum: 0, description: 'chats that both have joined', examples: [2] }),
        some: Type.Array(SharedChat, { maxItems: 3, description: 'at most three of them' }),
      },
      { description: 'chats that both have joined' },
    ),
    first_contacts: Type.Optional(
      Type.Union([Type.Literal('most'), Type.Literal('some'), Type.Literal('hardly_any')], {
        description:
          'of the wallets that it wrote to first in the last 30 days, how many have written back: most (more than two thirds), some, or hardly_any (less than a tenth). A wallet counts as writing back when it signed in here first at least a week ago. Left out while these are less than ten, and for the caller itself',
        examples: ['most'],
      }),
    ),
    looks_like: Type.Array(LookAlike, {
      maxItems: 2 * mostLookAlikes,
      description: 'wallets that the caller knows, for which this one could be taken; the caller among them',
    }),
    chain: Type.Array(ChainFacts, {
      maxItems: mostChains,
      description:
        'a chain that is missing was not asked yet, or did not answer: nothing is known, which says nothing against the wallet',
    }),
    holds: Type.Array(Holds, {
      maxItems: mostTokensAsked,
      description: 'whether it holds tokens of NFT chats that the caller has joined',
    }),
    checking: Type.Optional(
      Type.Literal(true, {
        description: 'the chains are being asked: ask again in some seconds',
        examples: [true],
      }),
    ),
  },
  { $id: 'Trust', description: 'What is known of a wallet' },
)
export type Trust = Static<typeof Trust>

// Spec gap: the interface says nothing of who writes.
export const trust = endpoints({
  getTrust: {
    method: 'GET',
    path: '/v1/trust/{peer}',
    summary: 'What is known of a wallet, for the caller',
    description:
      'Facts, never a score: since when it is here, chats in common, how its first contacts went, wallets it could be taken for, and what chains know of it where the operator has configured some. Chains are asked in the background, at most once a day.',
    access: 'wallet',
    scope: 'inbox:read',
    response: single(Trust),
  },
})
