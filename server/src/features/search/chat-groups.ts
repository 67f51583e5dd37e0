// One machine searches all chats by one statement. A cluster searches those of each bucket by one, which goes to one node.

import type { Db } from '../../db/pool.ts'
import { chatBucket } from '../../values/bucket.ts'

/** Chats that one statement reads. */
export interface ChatGroup {
  chats: readonly string[]
  /** This is $1 of the statement: the bucket of each chat, or the one of all. */
  bucket: number | number[]
  layout: keyof ForLayouts
}

/** How a statement says the bucket. */
interface Way {
  /** These add it to an `unnest` of the chats and to its names. */
  given: string
  named: string
  /** The bucket of a chat `u` of these. */
  ofChat: string
  /** A bucket that is compared with this is one of them. */
  any: string
  /** There is one. */
  isOne: boolean
}

interface ForLayouts {
  machine: string
  cluster: string
}

/** Makes a statement for both layouts. */
export const forLayouts = (make: (way: Way) => string): ForLayouts => ({
  machine: make({
    given: ', $1::integer[]',
    named: ', bucket',
    ofChat: 'u.bucket',
    any: 'any($1::integer[])',
    isOne: false,
  }),
  cluster: make({ given: '', named: '', ofChat: '$1', any: '$1', isOne: true }),
})

export function groupsOf({ layout }: Db, chats: readonly string[]): ChatGroup[] {
  if (chats.length === 0) return []
  if (layout.sharesReads) return [{ chats, bucket: chats.map(chatBucket), layout: 'machine' }]
  return [...Map.groupBy(chats, chatBucket)].map(([bucket, some]) => ({
    chats: some,
    bucket,
    layout: 'cluster',
  }))
}
