// Each piece of a large body has memory of its own outside of V8's heap. V8 does not count that as young: fifty uploads of 8 MiB at
// once leave 64 MiB and more of it before a full collection. So the young generation is collected after some bytes, which takes a
// millisecond or two: the same uploads then need 14 MiB.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const mostBytes = 8 * 2 ** 20

// An option of Node would put `gc` into every context; this one stays here.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as NodeJS.GCFunction
setFlagsFromString('--no-expose-gc')

let bytes = 0

/** Counts the bytes of pieces that were used, and collects their memory. */
export function countUsed({ length }: Uint8Array): void {
  bytes += length
  if (bytes < mostBytes) return
  bytes = 0
  collect({ type: 'minor', execution: 'sync' })
}
