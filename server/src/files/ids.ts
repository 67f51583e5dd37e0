import { randomBytes } from 'node:crypto'

/** Makes the id of a file whose row lies in a bucket: random bytes, of which six bits are the bucket. */
export function newFileId(bucket: number): string {
  const bytes = randomBytes(17)
  bytes[0] = (bytes[0]! & 0xc0) | bucket
  return bytes.toString('base64url')
}

export const bucketOfFile = (id: string): number => (Buffer.from(id, 'base64url')[0] ?? 0) & 0x3f
