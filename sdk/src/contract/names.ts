import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Id, Name, single, Text } from './fields.ts'

const KiB = 1024

const rules =
  '1 to 64 characters, none of them invisible (but what emoji and scripts need), with letters or digits, not shaped like an address or a URL, not reserved'

/** The name of an address. */
export const NameMapping = Type.Object(
  {
    id: Id,
    address: Address,
    name: Name(`the name: ${rules}`),
  },
  { $id: 'NameMapping', description: 'The name of a wallet or NFT collection' },
)
export type NameMapping = Static<typeof NameMapping>

// Spec gap: which fields are needed. A wallet may leave out `address`: it can only name itself. A
// `domain` or `signupsite` that is left out stays as it was; both are stored and never shown.
/** A name to set. */
export const NewName = Type.Object(
  {
    address: Type.Optional(
      Type.String({
        ...Address,
        description:
          "an address: 0x and 40 hexadecimal digits, or 1-128 printable characters without white space; the caller's own when left out, required with the admin key",
      }),
    ),
    name: Text(KiB, `a name, ${rules}`, { invisible: 'refused', examples: ['vitalik'] }),
    domain: Type.Optional(
      Text(KiB, 'the domain where the name was set', { invisible: 'allowed', examples: ['chat.example'] }),
    ),
    signupsite: Type.Optional(
      Text(KiB, 'the site where the name was set', { invisible: 'allowed', examples: ['chat.example'] }),
    ),
  },
  { $id: 'NewName', description: 'A name for a wallet or NFT collection' },
)
export type NewName = Static<typeof NewName>

/** The wallet that has a name. */
export const ResolvedName = Type.Object(
  {
    address: Address,
    name: Text(KiB, 'the name as its source writes it', { examples: ['vitalik.eth'] }),
    source: Type.Union([Type.Literal('service'), Type.Literal('ens')], {
      description: 'who says so: service, by POST /v1/name; or ens, the Ethereum Name Service',
      examples: ['ens'],
    }),
  },
  { $id: 'ResolvedName', description: 'The wallet that has a name' },
)
export type ResolvedName = Static<typeof ResolvedName>

export const names = endpoints({
  setName: {
    method: 'POST',
    path: '/v1/name',
    summary: 'Set the name of an address',
    description:
      'A wallet names itself; the admin key names any address, also that of an NFT collection. The earlier name becomes free. ' +
      'A name that looks like that of another address is 409 (UTS #39; case, symbols, punctuation, white space, marks and words such as `team` do not count). ' +
      'A name that ends like a name on a chain, such as .eth, is 403 unless ENS confirms that it belongs to the address.',
    access: 'wallet-or-admin',
    scope: 'profile:write',
    publishes: true,
    quotas: ['bytes'],
    self: 'address',
    limit: 'account',
    body: NewName,
    // Spec gap: the meaning of the integer.
    response: Type.Integer({
      description: 'how many names have changed: 1, or 0 when the address already had the name',
      examples: [1],
    }),
    idempotent: true,
  },
  // Spec gap: the interface has no way to give up a name.
  deleteName: {
    method: 'DELETE',
    path: '/v1/name',
    summary: "Give up the caller's name",
    description: 'The name is free for others then. Also 204 when there was none.',
    access: 'wallet',
    scope: 'profile:write',
    limit: 'account',
  },
  getName: {
    method: 'GET',
    path: '/v1/name/{name}',
    summary: 'The name of an address, or else the address of a name',
    description: 'Names compare without case. An unknown name or address is an empty list.',
    access: 'wallet',
    scope: 'public:read',
    response: single(NameMapping),
  },
  // Spec gap: the interface finds names that were set here, and asks no chain about others.
  resolveName: {
    method: 'GET',
    path: '/v1/resolve/{name}',
    summary: 'The wallet that has a name: one of this service, or of ENS',
    description:
      'A name that ends with .eth is asked of ENS in its normal form (ENSIP-15), whatever was set here; an answer may be a minute old. ' +
      'The answer has that form: ask a person before you use it where it looks different from what they typed, such as `aiice.eth` for `aIice.eth`. ' +
      '404 when nobody has the name, when it has no normal form, or when it ends with .eth and the service is not connected to Ethereum; 502 when Ethereum does not answer.',
    access: 'wallet',
    scope: 'public:read',
    response: ResolvedName,
  },
})
