import { Socket } from 'node:net'

/** The buffer has this many bytes while messages are short. */
const usual = 64 * 1024
/** This many bytes precede the text of a message: its type, and the length of the rest. */
const head = 5

/**
 * Makes a socket that hands on whole messages of PostgreSQL. The driver joins a long message out of the incoming pieces, in
 * buffers each twice as large as the one before, and all of them wait for the garbage collector. Here one buffer is read into,
 * and used again.
 */
export function socketOfWholeMessages(): Socket {
  let bytes = Buffer.allocUnsafeSlow(usual)
  let filled = 0

  /** Returns where the last whole message ends. */
  function endOfWhole(): number {
    let end = 0
    for (let next = nextEnd(end); next <= filled; next = nextEnd(end)) end = next
    return end
  }
  /** Returns where the message that begins at `from` ends; a position after the data where that is unknown. */
  const nextEnd = (from: number) =>
    from + head > filled ? filled + 1 : from + 1 + bytes.readUInt32BE(from + 1)

  function resize(size: number): void {
    const smaller = bytes
    bytes = Buffer.allocUnsafeSlow(size)
    smaller.copy(bytes, 0, 0, filled)
    smaller.buffer.transfer(0)
  }

  const socket = new Socket({
    onread: {
      buffer: () => bytes.subarray(filled),
      callback(count) {
        filled += count
        const end = endOfWhole()
        // The driver reads the data at once, and holds none of it.
        if (end > 0) socket.emit('data', bytes.subarray(0, end))
        bytes.copyWithin(0, end, filled)
        filled -= end
        const needed = Math.max(usual, Math.ceil(nextEnd(0) / usual) * usual)
        if (needed > bytes.length || (filled < head && bytes.length > usual)) resize(needed)
        return true
      },
    },
  })
  return socket
}
