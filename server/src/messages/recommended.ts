import { chatBucket } from '../values/bucket.ts'
import type { Queries } from './operator-log.ts'

/** Puts a community first in the directory, or ends that. */
export const setRecommended = (db: Queries, chat: string, isRecommended: boolean) =>
  db.query('update community_profiles set featured = $3 where bucket = $1 and chat = $2', [
    chatBucket(chat),
    chat,
    isRecommended,
  ])
