import { type TSchema, Type } from 'typebox'
import { Address, TokenId } from './fields.ts'

/** Every path parameter of the service, by name: one meaning wherever the name stands. */
export const params: Record<string, TSchema> = {
  address: Address,
  fromaddr: Address,
  toaddr: Address,
  nftaddr: Address,
  nftid: TokenId,
  contract: Address,
  wallet: Address,
  id: Type.String({
    pattern: '^[0-9]{1,15}$',
    description: 'an id: a whole number as the service gave it',
    examples: ['42'],
  }),
  time: Type.String({
    format: 'time-param',
    description:
      'a time: RFC 3339 such as 2026-11-20T18:30:00.123Z, or milliseconds since 1970; a leading $ is ignored',
    examples: ['2026-11-20T18:30:00.123Z'],
  }),
  type: Type.Union(
    [Type.Literal('nft'), Type.Literal('community'), Type.Literal('dm'), Type.Literal('all')],
    {
      description: 'one of nft, community, dm, all',
      examples: ['all'],
    },
  ),
}
