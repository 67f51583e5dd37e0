import { randomBytes, toBase64 } from '@parley/sdk/bytes.ts'

export { fromBase64, randomBytes, toBase64, toBytes, toText } from '@parley/sdk/bytes.ts'

/** Returns a new id of a message. */
export const newCid = (): string => toBase64(randomBytes(16))
