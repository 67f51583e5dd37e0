import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, addressesOf, Made } from './fields.ts'

/** The maximum number of wallets in one call. */
export const mostChainNames = 50

/** The maximum length of a name of a chain: a longer one is left out. */
export const longestChainName = 100

/** What is known of the name that a wallet has in ENS. It stands beside the name that the wallet has on this service. */
export const ChainName = Type.Object(
  {
    address: Address,
    name: Type.Optional(
      Made(
        longestChainName,
        'its primary name, confirmed in both directions and in its normal form (ENSIP-15); left out while none is known',
        ['vitalik.eth'],
      ),
    ),
    chain: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'the chain on which the address has this name (EIP-155): at another one it may be the wallet of somebody else; present with a name',
        examples: [1],
      }),
    ),
    looks_like: Type.Optional(
      Type.String({
        ...Address,
        description:
          'another wallet whose name looks like this one (UTS #39): one that the caller has given such a name, else one that has chosen it here',
      }),
    ),
    checking: Type.Optional(
      Type.Literal(true, {
        description: 'the chains are being asked: ask again in some seconds',
        examples: [true],
      }),
    ),
  },
  { $id: 'ChainName', description: 'The name of a wallet in ENS, as far as it is known' },
)
export type ChainName = Static<typeof ChainName>

// Spec gap: the interface knows the names of its own service alone.
export const chainNames = endpoints({
  listChainNames: {
    method: 'GET',
    path: '/v1/chain_names',
    summary: 'The names of some wallets in ENS',
    description:
      'The answer says what is known and waits for no chain. What is not known, or older than a day, is asked in the background, within limits for the wallet and the service. ' +
      'Wallets of which nothing is known are left out, and all are where the service is not connected to Ethereum.',
    access: 'wallet',
    scope: 'inbox:read',
    query: Type.Object({
      addresses: addressesOf(mostChainNames),
    }),
    response: Type.Array(ChainName, { maxItems: mostChainNames }),
  },
})
