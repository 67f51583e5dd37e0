// Posts of chats that were removed: their items stay, without their texts.

import type { RemovedBy } from '@parley/sdk/contract/group-chats.ts'
import { changeItems } from './history.ts'

/** What is shown in place of the text. */
export const removedText = (by: RemovedBy | undefined): string =>
  by === 'author'
    ? 'Removed by its author'
    : by === 'operator'
      ? 'Removed by an operator of this service'
      : 'Removed by a moderator'

/** Shows a post as removed in every cached history. */
export const emptyPost = (id: number, removed_by: RemovedBy): void =>
  changeItems('listGroupMessages', (item) =>
    item.id === id && !item.removed ? { ...item, message: '', removed: true, removed_by } : item,
  )
