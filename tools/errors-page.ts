// This script makes docs/errors.md from the codes of errors in the contract: `npm run docs:errors`.

import { STATUS_CODES } from 'node:http'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type ErrorCode, errorStatus } from '../sdk/src/contract/errors.ts'

export const pageFile = path.join(import.meta.dirname, '../docs/errors.md')

/** The texts say when each error occurs, and what to do then. */
const texts: Record<ErrorCode, [when: string, todo: string]> = {
  bad_request: [
    'A value is missing, has another type or is out of its bounds, or the body is not JSON.',
    '`errors` lists each rejected value with its place (`pointer`) and what a right one looks like. Correct the request; the same one fails again.',
  ],
  unauthorized: [
    'There is no token, or it is expired, signed out or not of this service. Also a signature or a code that does not fit.',
    'Sign in again: `GET /users/{address}/nonce`, sign its `message`, `POST /signin`.',
  ],
  forbidden: [
    'The caller may not do this: the item belongs to another wallet, a chat is for holders or for members, the caller is banned from it, or only an admin or an operator may.',
    '`detail` says what is needed. Try again only after that has changed.',
  ],
  not_accepting: [
    'The recipient takes messages only from wallets that it has accepted, or that meet its conditions.',
    'Do not try again. `detail` says the conditions where the recipient shows them.',
  ],
  not_asked: [
    'The wallet is a bot, and the recipient has neither written to it nor accepted it.',
    'Wait until the other wallet writes or accepts: a bot begins no conversations.',
  ],
  sanctioned: [
    'Operators have banned or muted the wallet.',
    '`GET /v1/sanctions` says why and until when. Appeal by `POST /v1/reports` with the reason `appeal`.',
  ],
  old_sign_in: [
    'This request needs a sign-in from the last hour, and the token is of an older one.',
    'Sign in again and repeat the request with the new token.',
  ],
  not_found: [
    'There is no such endpoint or item, or the caller may not know of it.',
    'Check the path. An id may be of a message that was deleted.',
  ],
  method_not_allowed: ['The path exists, for other methods.', 'The header `Allow` lists them.'],
  request_timeout: [
    'The request did not arrive in time.',
    'Send it again, over a better connection or with a smaller body.',
  ],
  conflict: [
    'The value is taken, or was changed meanwhile: a name, a community, the keys of a wallet.',
    'Read the present state, and try with another value.',
  ],
  limit_reached: [
    'There is the maximum already of what would be added: API keys, webhooks, contacts, moderators of a chat.',
    'Delete one first, as `detail` says. Waiting changes nothing.',
  ],
  payload_too_large: [
    'The body is larger than this endpoint takes.',
    '`detail` or the API reference says how much it takes.',
  ],
  uri_too_long: [
    'The address of the request is too long.',
    'Shorten the query, or request fewer items at once.',
  ],
  unsupported_media_type: [
    'The body is not JSON (for a part of a file: not bytes), or is compressed.',
    'Send `Content-Type: application/json`, and for a part `application/octet-stream`, without `Content-Encoding`.',
  ],
  range_not_satisfiable: [
    'The requested range of a file begins behind its last byte.',
    '`Content-Range` says how many bytes the file has.',
  ],
  idempotency_mismatch: [
    'The `Idempotency-Key` was used by this wallet for another request.',
    'Take a new key for each new request, and the same one only to repeat a request as it was.',
  ],
  rate_limited: [
    'Too many requests came from the wallet or the network address, or a quota of the day is used up.',
    'Wait as many seconds as `Retry-After` says. The `RateLimit` fields say what is left. The SDK waits by itself.',
  ],
  request_pending: [
    'The recipient has not answered this wallet yet, and the limit of messages that may wait is reached.',
    'Wait until the recipient accepts the request.',
  ],
  headers_too_large: [
    'The headers of the request are too large.',
    'Send fewer or smaller ones, such as cookies.',
  ],
  internal: [
    'A fault of the service.',
    'Try again with the same `Idempotency-Key`, and report the `request_id`: the log of the service has the cause.',
  ],
  bad_gateway: [
    'A node of a chain or another service gave a wrong answer.',
    'Try again later. Operators find the cause in the log.',
  ],
  unavailable: [
    'The database is out of reach or full of work, or the service is about to stop.',
    'Try again after `Retry-After` seconds. A write may have been stored: repeat it with the same `Idempotency-Key`.',
  ],
  gateway_timeout: ['A node of a chain or another service did not answer in time.', 'Try again later.'],
}

const intro = `# Errors

<!-- Made from tools/errors-page.ts by \`npm run docs:errors\`. -->

Every answer that is an error has the media type \`application/problem+json\` (RFC 9457):

\`\`\`json
{
  "type": "/docs/errors#bad_request",
  "title": "Bad Request",
  "status": 400,
  "detail": "toaddr is required: a wallet address",
  "request_id": "req-1f",
  "errors": [{ "pointer": "/body/toaddr", "detail": "is required: a wallet address" }]
}
\`\`\`

\`type\` leads to a part of this page, and the name after the \`#\` never changes: match on it. The SDK throws an \`ApiError\` whose \`code\` is that name. \`detail\` is for people. Quote \`request_id\` when you report a problem.

A request that failed with a status from 500 on, or without an answer, may have been carried out. Repeat it with the same \`Idempotency-Key\`: nothing is stored twice.
`

/** Returns the whole page, in the form that the formatter gives it. */
export const errorsPage = (): string =>
  [
    intro,
    ...Object.entries(texts).map(
      ([code, [when, todo]]) =>
        `## ${code}\n\n**${errorStatus[code as ErrorCode]} ${STATUS_CODES[errorStatus[code as ErrorCode]]}.** ${when}\n\n${todo}\n`,
    ),
  ].join('\n')

if (import.meta.main) await writeFile(pageFile, errorsPage())
