// The parameters of the functions for one message that few messages need.

import type { Item } from './stored.ts'

/** Their parameters, and what an item has of them. */
export const specialsOf = {
  direct: {
    types: [
      ['may_begin', 'boolean'],
      ['may_ask', 'boolean'],
      ['holder', 'text'],
      ['withheld', 'boolean'],
    ],
    values: ({ mayBegin, mayAsk, holder, withheld }: Item<unknown>) => [mayBegin, mayAsk, holder, withheld],
  },
  post: {
    types: [
      ['withheld', 'boolean'],
      ['held', 'boolean'],
      ['slow_ms', 'bigint'],
    ],
    values: ({ withheld, held, slowMs }: Item<unknown>) => [withheld, held, slowMs],
  },
} as const
