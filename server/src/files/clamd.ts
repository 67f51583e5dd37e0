// Speaks with clamd, the scanner of ClamAV, by its protocol (https://docs.clamav.net/manual/Usage/Scanning.html#clamd): a command,
// then the bytes in pieces that each begin with their length. A connection is for one command.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Its answers are one line. */
const longestAnswer = 4096

/**
 * Returns the name of what clamd finds in some bytes; undefined where it finds nothing. It throws where clamd neither takes bytes nor
 * answers for some milliseconds.
 */
export async function scanBytes(
  url: string,
  bytes: AsyncIterable<Buffer>,
  patience: number,
): Promise<string | undefined> {
  const send = async (socket: Socket, signal: AbortSignal) => {
    for await (const piece of bytes) {
      // An answer that has arrived is read before a write fails on a connection that is closed.
      await nextTurn()
      const length = Buffer.alloc(4)
      length.writeUInt32BE(piece.length)
      socket.cork()
      socket.write(length)
      const isTaken = socket.write(piece)
      socket.uncork()
      if (!isTaken) await once(socket, 'drain', { signal })
      signal.throwIfAborted()
    }
    socket.write(Buffer.alloc(4))
  }
  const answer = await ask(url, 'INSTREAM', send, patience).catch((error: NodeJS.ErrnoException) => {
    if (!['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) throw error
    throw new Error('clamd has closed the connection, as it does in a file above its StreamMaxLength', {
      cause: error,
    })
  })
  if (answer === 'stream: OK') return undefined
  const [, found] = /^stream: (.+) FOUND$/.exec(answer) ?? []
  if (found === undefined) throw new Error(`clamd says: ${answer}`)
  return found
}

/** Returns a sentence for the operator when clamd cannot be used. */
export const problemOfClamd = (url: string, milliseconds = 3_000): Promise<string | undefined> =>
  ask(url, 'PING', async () => {}, milliseconds).then(
    (answer) => (answer === 'PONG' ? undefined : `The scanner at ${url} is no clamd.`),
    (error: Error) =>
      `The scanner at ${url} does not answer: ${error.message}. New files wait for it, and nobody but their senders gets them until then.`,
  )

async function ask(
  url: string,
  command: string,
  send: (socket: Socket, signal: AbortSignal) => Promise<void>,
  milliseconds: number,
): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) })
  // A piece that is sent and taken begins the time again.
  socket.setTimeout(milliseconds, () => socket.destroy(new Error('it says nothing')))
  const answer = readAnswer(socket)
  const ended = new AbortController()
  try {
    socket.write(`z${command}\0`)
    // Where the connection breaks off, or clamd refuses the rest, there is nobody to send to.
    await Promise.race([send(socket, ended.signal), answer])
    return await answer
  } finally {
    ended.abort()
    socket.destroy()
  }
}

/** Reads the answer, also one that comes before the connection breaks off: clamd refuses a long file while it is sent. */
function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const isWhole = () => answer.includes('\0') || answer.length > longestAnswer
    const end = (error?: Error) => {
      if (answer === '' || (error && !isWhole())) reject(error ?? new Error('it has closed the connection'))
      else resolve(answer.slice(0, longestAnswer).replace(/[\0\n].*$/s, ''))
    }
    socket.on('data', (piece: Buffer) => {
      answer += piece.toString('latin1')
      if (isWhole()) end()
    })
    socket.once('error', end)
    socket.once('close', () => end())
  })
}
