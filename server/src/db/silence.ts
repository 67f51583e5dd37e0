// Ends statements that get no response. The limit of the driver (query_timeout) makes a timer for each statement: V8 then keeps
// the results of statements until it collects the old space, which it had to do twice a second under inboxes of 20 rows. Here one
// timer looks at all connections of a pool.

import type { Socket } from 'node:net'
import type pg from 'pg'

/** The driver has no public name for the statement that a connection runs. */
interface Running {
  connection: { stream: Socket }
  _getActiveQuery: () => object | null | undefined
}

interface Silence {
  /** This number of bytes has gone through the connection. */
  bytes: number
  /** The statement has had no response for this number of looks. */
  looks: number
}

/** Looks are counted, and not milliseconds: after a process has stood still, what was sent meanwhile is read before the next one. */
const mostLooks = 16

/**
 * Closes each connection of a pool whose statement gets no response for `patience` milliseconds; a sixteenth later at
 * most. The statement fails as with the limit of the driver.
 */
export function endSilent(pool: pg.Pool, patience: number): void {
  const connections = new Map<Running, Silence>()
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    for (const [client, silence] of connections) {
      const { stream } = client.connection
      const bytes = stream.bytesRead + stream.bytesWritten
      const isSilent = client._getActiveQuery() && bytes === silence.bytes
      silence.bytes = bytes
      silence.looks = isSilent ? silence.looks + 1 : 0
      // The words are the driver's (failures.ts).
      if (silence.looks >= mostLooks) stream.destroy(new Error('Query read timeout'))
    }
  }
  pool.on('connect', (client) => {
    connections.set(client as unknown as Running, { bytes: 0, looks: 0 })
    timer ??= setInterval(look, patience / mostLooks).unref()
  })
  pool.on('remove', (client) => {
    connections.delete(client as unknown as Running)
    if (connections.size > 0) return
    clearInterval(timer)
    timer = undefined
  })
}
