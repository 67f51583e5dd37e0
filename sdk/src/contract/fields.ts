import { type TSchema, Type } from 'typebox'

// Many models share these values. `description` is also the error text: it describes a valid value. The service checks the
// formats (`address`, `token-id`, `text`, `time-param` and others), `x-max-bytes` and `x-invisible`, and brings `x-canonical`
// values to one form.

/** A wallet, contract or chat address. The service changes only EVM addresses to lower case. */
export const Address = Type.String({
  format: 'address',
  'x-canonical': 'address',
  description: 'an address: 0x and 40 hexadecimal digits, or 1-128 printable characters without white space',
  examples: ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045'],
})

/** The id of a token, as a string. */
export const TokenId = Type.String({
  format: 'token-id',
  description: 'a token id: 1-128 printable characters without white space',
  examples: ['721'],
})

/** The id of a chain (EIP-155). */
export const ChainId = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'the id of a chain, a whole number from 1 to 2^53-1 such as 8453',
  examples: [8453],
})

const tokenNumber = 'a token id: 0 to 2^256-1, as a whole number below 2^53 or as a string of decimal digits'

/**
 * The id of a token in a request: exact up to 2^256-1. From 2^53 on a number is refused: send a
 * string. The SDK sends a bigint as a string.
 */
export const NewTokenNumber = Type.Unsafe<number | bigint | string>(
  Type.Union(
    [
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: tokenNumber,
        examples: [721],
      }),
      Type.String({ format: 'uint256', description: tokenNumber, examples: ['721'] }),
    ],
    { description: tokenNumber, examples: ['721'] },
  ),
)

/** The id of a token in a response: a JSON number with all its digits; from 2^53 on the SDK gives a bigint. */
export const TokenNumber = Type.Unsafe<number | bigint>(
  Type.Integer({
    minimum: 0,
    description:
      'the token id, 0 to 2^256-1, with all its digits: many JSON parsers round it from 2^53 on; ' +
      'the SDK gives it as a bigint from 2^53 on',
    examples: [721],
  }),
)
/** An e-mail address (RFC 5321, internationalised as in RFC 6531). It is stored as it was sent. */
export const Email = Type.String({
  format: 'idn-email',
  description:
    'an e-mail address such as alice@example.org: at most 254 bytes, a domain name of two or more parts, no quotes, comments or white space',
  examples: ['alice@example.org'],
})

/** The maximum bytes of UTF-8 of a direct message, a group message or a comment: 64 KiB. */
export const maxMessageBytes = 64 * 1024

/**
 * Says what the service does with a text of a request that has invisible characters (`unseen.ts`). `refused`: it is a 400.
 * `refused-from-programs`: it is a 400 when an API key or an incoming hook sends it, and stored as it is when a person does;
 * a message that the client has encrypted is stored as it is. `allowed`: no person reads the text, or a check of its own decides.
 */
export type Invisible = 'refused' | 'refused-from-programs' | 'allowed'

const invisibleRule: Record<Invisible, string> = {
  refused: ', no invisible characters',
  'refused-from-programs': ', no invisible characters when a program sends it',
  allowed: '',
}

interface TextOptions {
  minLength?: number
  pattern?: string
  examples?: string[]
  /** Every text that a request may have says this (server/test/texts.test.ts). */
  invisible?: Invisible
}

/**
 * Text that is stored exactly as it was sent, of at most `maxBytes` bytes of UTF-8. The fields of client-side encryption are such
 * texts too: the service returns an accepted text byte for byte.
 */
export const Text = (maxBytes: number, description: string, { invisible, ...options }: TextOptions = {}) =>
  Type.String({
    format: 'text',
    'x-max-bytes': maxBytes,
    ...(invisible && { 'x-invisible': invisible }),
    ...options,
    description: `${description}: at most ${maxBytes} bytes of UTF-8, no control characters but tab, line feed and carriage return, no lone surrogates${invisible ? invisibleRule[invisible] : ''}`,
  })

/** The text of a message or a comment in a request: 1 byte to 64 KiB. */
export const MessageText = (what: string, example: string) =>
  Text(maxMessageBytes, `the ${what}, 1 byte or more`, {
    minLength: 1,
    invisible: 'refused-from-programs',
    examples: [example],
  })

/** The name of a wallet, NFT collection or community in a response; it may be empty. */
export const Name = (description: string, examples = ['vitalik']) =>
  Type.String({ format: 'text', maxLength: 64, description, examples })

/** A text that the service has made, of at most `maxLength` characters. */
export const Made = (maxLength: number, description: string, examples: string[]) =>
  Type.String({ format: 'text', maxLength, description, examples })

/** A small picture in an answer: a data URL of at most 4 KiB; it may be empty. */
export const Logo = (description: string) =>
  Type.String({ format: 'text', maxLength: 4096, description, examples: [''] })

/** A response of one item, or none. */
export const single = <Item extends TSchema>(item: Item) => Type.Array(item, { maxItems: 1 })

/** An instant: RFC 3339 in UTC with milliseconds. */
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'an instant: RFC 3339, UTC, milliseconds',
  examples: ['2026-11-20T18:30:00.123Z'],
})

/** The id of a stored row. */
export const Id = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'an id: a whole number as the service gave it',
  examples: [42],
})

// Spec gap: the interface has no replies.
export const ReplyTo = Type.Optional(
  Type.Integer({
    ...Id,
    description: 'the id of an earlier message of the same conversation or chat, to which this one replies',
    // An example would be no message of the reader.
    examples: [],
  }),
)

// Spec gap: the interface has no paging. Without these, the answer is the whole list.
export const Page = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'how many items at most: 1 to 1000',
      examples: [100],
    }),
  ),
  after: Type.Optional(
    Type.Integer({ ...Id, description: 'only items with a greater id: the id of the last item you have' }),
  ),
  before: Type.Optional(
    Type.Integer({ ...Id, description: 'only items with a smaller id: the id of the first item you have' }),
  ),
})

// Spec gap: anyone who reads a chat enters it, and so all of it counts as read. A client that shows only
// a part reads without entering, and says with `PUT /v1/read_to/{addr}` what was read.
/** Says whether a read of a chat enters it. */
export const Enter = Type.Optional(
  Type.Boolean({
    description: 'false: the wallet does not enter the chat, so what is unread stays unread',
    examples: [true],
  }),
)

/** A page of an inbox, which is newest first. */
export const InboxPage = Type.Object({
  limit: Page.properties.limit,
  before: Type.Optional(
    Type.Integer({
      ...Id,
      description: 'only rows after the one with this id: the id of the last row you have',
    }),
  ),
})

/** Bytes of a text that a preview shows: a row of an inbox, a message on a landing page. */
export const previewBytes = 4096

/** True when the text of a preview was cut. */
export const Truncated = Type.Optional(
  Type.Literal(true, {
    description:
      'present when a text is longer than 4 KiB: only its beginning is here, the whole stands in the list',
    examples: [true],
  }),
)

/** Several addresses in a query, with spaces between them. */
export const addressesOf = (
  most: number,
  whose = 'wallets',
  example = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
) =>
  Type.String({
    'x-invisible': 'allowed',
    minLength: 1,
    description: `the addresses of 1 to ${most} ${whose}, with spaces between them`,
    examples: [example],
  })

/** A ZIP file as a response, made while it is sent. */
export const Zip = Type.Unsafe<ReadableStream<Uint8Array>>(
  Type.String({
    contentMediaType: 'application/zip',
    description: 'a ZIP file; the SDK gives its bytes as a stream',
    examples: ['PK\u0003\u0004…'],
  }),
)
