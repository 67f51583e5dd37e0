// Only few messages need these parameters of the functions for one message.

import type { Item } from './message-types.ts'

/** This has these parameters, and their values for an item. */
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
