import type { AttachedFile } from '@parley/sdk/files/attached.ts'
import type { ShownFile } from '../files/shown.ts'

/** This is a file of a message that is not sent yet: its bytes wait in this browser under `key`. */
export interface Upload extends Omit<ShownFile, 'id' | 'sealed' | 'preview' | 'waiting'> {
  /** This is the Idempotency-Key of the request that makes it. */
  request: string
  /** An encrypted file gets its key from this, so that an upload that continues has the same bytes. */
  secret: string
  /** The service has it under the id. */
  made?: {
    id: string
    isSealed: boolean
    /** The service has this number of its bytes, of which there are `size` as they are sent. */
    stored: number
    size: number
    isWhole?: true
    /** These open an encrypted one. */
    opens?: Pick<AttachedFile, 'key' | 'hash'>
  }
}

/** Returns the files of a message that waits, as it shows them. */
export const shownOf = (uploads: Upload[]): ShownFile[] =>
  uploads.map(({ request: _request, secret: _secret, made: _made, ...file }) => ({
    ...file,
    waiting: file.key,
  }))
