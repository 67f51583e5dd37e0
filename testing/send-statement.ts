import { pairBucket } from '../server/src/values/bucket.ts'

/** For tests: returns the statement, with its parameters, that stores a message of a wallet to each of others; it returns ids. */
export const sending = (fromaddr: string, to: string[], message = 'gm'): [string, unknown[]] => [
  `select id from send_direct_messages_v1($1, $2, $3, $4, $5, $6, $6, $6, $6, $6, 0, null, null, null)`,
  [
    Date.now(),
    to.map((toaddr) => pairBucket(fromaddr, toaddr)),
    to.map(() => fromaddr),
    to,
    to.map(() => message),
    to.map(() => null),
  ],
]
