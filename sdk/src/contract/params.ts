import { type TSchema, Type } from 'typebox'
import { Address, Email, Text, TokenId } from './fields.ts'
import { ImportedAddress } from './moving.ts'

/** This has every path parameter of the service, by name. A name has one meaning in all paths. */
export const params: Record<string, TSchema> = {
  address: Address,
  fromaddr: Address,
  toaddr: Address,
  peer: Address,
  nftaddr: Address,
  walletaddr: Address,
  useraddress: Address,
  community: Type.String({ ...Address, description: 'the name of a community', examples: ['gardeners'] }),
  nftid: TokenId,
  addr: Type.String({
    ...Address,
    description:
      'an address: 0x and 40 hexadecimal digits, or 1-128 printable characters without white space; or the name of a community',
  }),
  name: Text(1024, 'an address, or a name', { minLength: 1, examples: ['vitalik'] }),
  contract: Address,
  imported: ImportedAddress,
  wallet: Address,
  id: Type.String({
    pattern: '^[0-9]{1,16}$',
    format: 'id',
    description: 'an id: a whole number as the service gave it',
    examples: ['42'],
  }),
  session: Type.String({
    pattern: '^[\\w-]{1,64}$',
    description: 'the id of a session, as the service gave it',
    examples: ['q1vJ3mT8cK0yWz5uXb2RsA'],
  }),
  api_key: Type.String({
    pattern: '^[\\w-]{1,64}$',
    description: 'the id of an API key, as the service gave it',
    examples: ['q1vJ3mT8cK0yWz5uXb2RsA'],
  }),
  file: Type.String({
    pattern: '^[\\w-]{1,64}$',
    description: 'the id of a file, as the service gave it',
    examples: ['q1vJ3mT8cK0yWz5uXb2RsAw'],
  }),
  sha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'the SHA-256 of the bytes of a file, as 64 lower-case hexadecimal digits',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  draft: Type.String({
    pattern: '^[\\w-]{1,64}$',
    description: 'the id of a draft, as the service gave it',
    examples: ['q1vJ3mT8cK0yWz5uXb2RsA'],
  }),
  guest_key: Type.String({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description: 'the name of an encrypted key: 32 bytes as base64url without padding, made from a passkey',
    examples: ['Zk3yq2m9VbQ8xT1nLr5cWd7eUf0gHj4kPs6aRt9uYwI'],
  }),
  hook: Type.String({
    pattern: '^[\\w-]{1,64}$',
    description: 'the id of an incoming hook, as the service gave it',
    examples: ['q1vJ3mT8cK0yWz5uXb2RsA'],
  }),
  // It may be any text: a wrong one is not found.
  secret: Type.String({
    description: 'the secret of an incoming hook, as its address has it',
    examples: ['prh_8J1vJ3mT8cK0yWz5uXb2RsAq1vJ3mT8cK0yWz5uXb2Rs'],
  }),
  time: Type.String({
    format: 'time-param',
    description:
      'a time: RFC 3339 such as 2026-11-20T18:30:00.123Z, or milliseconds since 1970; a leading $ is ignored',
    examples: ['2026-11-20T18:30:00.123Z'],
  }),
  email: Email,
  // It may be any text: a code that a mail program cut short gets the same answer as a wrong one.
  verification_code: Text(128, 'the code of the link in the confirmation mail', {
    examples: ['pX3vQ9sJb0mZkT5uWc2yRg'],
  }),
  type: Type.Union(
    [Type.Literal('nft'), Type.Literal('community'), Type.Literal('dm'), Type.Literal('all')],
    {
      description: 'one of nft, community, dm, all',
      examples: ['all'],
    },
  ),
}
