// The flags of V8 that `npm start` gives to Node, chosen by what the machine has. As a program this prints them. A flag is here
// because a measurement showed its effect (docs/benchmarks.md). The size of the whole heap is the operator's choice: see "Memory"
// in docs/settings.md.

import { realpathSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

export const flags = [
  // The young generation has 8 MB: it grows to more than it needs by default. Under sends this uses 164 MB of memory instead of
  // 367. Inboxes of 200 rows cost 0.2 ms more CPU each; with 16 MB they would not, but use 250 MB.
  '--max-semi-space-size=8',
  // Without it V8 puts arrays of the database driver into the old space, where rows that are no longer used stay until the next
  // full collection. With inboxes of 200 rows it uses 194 MB instead of 245, and 0.31 cores instead of 0.45.
  '--no-allocation-site-pretenuring',
  // The old space is collected when it has grown by half, not by up to three times. While one wallet calls every endpoint with
  // the largest responses, this uses at most 284 MB of memory instead of 428.
  '--heap-growing-percent=50',
]

// On one or two cores, threads that collect garbage take the cores from the service itself and from
// PostgreSQL. With both flags the longest wait of the event loop is 12.5 ms instead of 15 with
// inboxes of 200 rows, and 13.6 instead of 17 with 2,000. On more cores those threads help.
if (availableParallelism() <= 2) flags.push('--no-parallel-scavenge', '--v8-pool-size=1')

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) console.log(flags.join('\n'))
