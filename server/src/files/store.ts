// The bytes of files of messages, and of pictures of wallets and communities, are in a store, apart from the database: on the disk
// of DATA_DIR (disk.ts), or in a bucket of S3 (s3.ts). A part of a file is an object of its own under a random name, and the row of
// the file or picture says which ones count (migrations/0020_files.sql, 0006_wallets.sql). So two uploads of the same part do not
// disturb each other, and an object without a row is nothing.

import type { Readable } from 'node:stream'

/** This is an object of the store: one part of a file. */
interface StoredPart {
  id: string
  part: string
}

export interface FileStore {
  /**
   * Stores a part of this many bytes; it stays when this resolves. On a failure nothing is left. Bytes that are given as a whole
   * may be sent again.
   */
  write: (id: string, part: string, bytes: AsyncIterable<Buffer> | Buffer, length: number) => Promise<void>
  /** Reads a part from a byte on, to another one that is not read. */
  read: (id: string, part: string, start: number, end: number) => Readable
  /** Calls with the bytes of a part, piece by piece. A piece is there during its call only: all pieces share their memory. */
  scan: (id: string, part: string, use: (bytes: Buffer) => void) => Promise<void>
  /** Returns the bytes of a part; undefined where it is missing. */
  sizeOf: (id: string, part: string) => Promise<number | undefined>
  /** Deletes one part; a missing one is no failure. */
  deletePart: (id: string, part: string) => Promise<void>
  /** Deletes all parts of a file, also those that do not count. */
  delete: (id: string) => Promise<void>
  /** Yields all parts that were stored before a time in milliseconds. */
  list: (before: number) => AsyncIterable<StoredPart>
  /** Returns false while there is less room than the reserve. */
  hasRoom: () => Promise<boolean>
  /** Returns a sentence for the operator when the store is not usable now. */
  problem: () => Promise<string | undefined>
}
