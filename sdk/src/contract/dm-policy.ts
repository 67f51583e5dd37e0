import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address } from './fields.ts'

/** Says from which wallets a wallet accepts direct messages. */
export const DmPolicy = Type.Object(
  {
    who: Type.Union(
      [Type.Literal('everyone'), Type.Literal('requests'), Type.Literal('contacts'), Type.Literal('holders')],
      {
        description:
          'everyone; requests: a stranger may write five messages of 16 KiB together until the wallet answers or accepts it; contacts: only whom the wallet has accepted; holders: those, and who holds a token',
        examples: ['holders'],
      },
    ),
    token: Type.Optional(
      Type.Object(
        {
          chain: Type.Integer({
            minimum: 1,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'a chain id: one that the service asks',
            examples: [1],
          }),
          contract: Type.String({
            ...Address,
            description: 'an NFT contract: 0x and 40 hexadecimal digits',
            examples: ['0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'],
          }),
        },
        {
          description: 'of holders: of which contract',
          examples: [{ chain: 1, contract: '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb' }],
        },
      ),
    ),
  },
  { $id: 'DmPolicy', description: 'From whom a wallet takes direct messages' },
)
export type DmPolicy = Static<typeof DmPolicy>

const OwnDmPolicy = Type.Object(
  {
    ...DmPolicy.properties,
    is_default: Type.Optional(
      Type.Literal(true, {
        description: 'the wallet has not chosen: this is what the service has for such wallets',
        examples: [true],
      }),
    ),
  },
  { $id: 'OwnDmPolicy', description: 'From whom the caller takes direct messages' },
)
export type OwnDmPolicy = Static<typeof OwnDmPolicy>

export const dmPolicy = endpoints({
  getOwnDmPolicy: {
    method: 'GET',
    path: '/v1/dm_policy',
    summary: 'From whom the caller takes direct messages',
    access: 'wallet',
    response: OwnDmPolicy,
  },
  getDmPolicy: {
    method: 'GET',
    path: '/v1/dm_policy/{address}',
    summary: 'From whom a wallet takes direct messages',
    description:
      'It is public, so that a sender knows before. Nothing says whom a wallet has accepted, ignored or blocked.',
    access: 'public',
    response: DmPolicy,
  },
  setDmPolicy: {
    method: 'PUT',
    path: '/v1/dm_policy',
    summary: 'Choose from whom the caller takes direct messages',
    description:
      'A request causes no mail, and shows no typing. A sender whom the policy excludes gets 429 `request_pending` or 403 `not_accepting`. A wallet that the caller has accepted may always write. While the chain of a token does not answer, messages of holders are requests.',
    access: 'wallet',
    limit: 'account',
    needsRoom: false,
    body: DmPolicy,
    response: DmPolicy,
  },
})
