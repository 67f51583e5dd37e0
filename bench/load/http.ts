// This is a minimal HTTP/1.1 client: one request at a time on a connection that stays open. Requests are bytes made beforehand.
// It reads only the status and the end of a response (Content-Length or chunked, RFC 9112), and counts the bytes of the body. It
// shares the machine with the service, so the CPU it uses is missing there.

import net from 'node:net'

interface Answer {
  status: number
  /** The bytes of the body. */
  bytes: number
}

export interface Connection {
  /** Sends a request; this is allowed only after the response to the one before. */
  send: (request: Buffer, onAnswer: (answer: Answer) => void) => void
  close: () => void
}

/** Connects to the service on this machine. `onError` receives what breaks the connection. */
export async function connectTo(port: number, onError: (error: Error) => void): Promise<Connection> {
  let answered: (answer: Answer) => void = () => {}
  const read = reader((answer) => answered(answer))
  // Reads go into the same memory always: with new memory for each read, garbage collection takes a third of the time.
  const buffer = Buffer.allocUnsafe(65_536)
  const callback = (length: number) => {
    read(buffer.subarray(0, length))
    return true
  }
  const onread = { buffer, callback }
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true, onread })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let closed = false
  socket.on('error', (error) => closed || onError(error))
  socket.on('close', () => closed || onError(new Error('The service closed a connection.')))
  return {
    send: (request, onAnswer) => {
      answered = onAnswer
      socket.write(request)
    },
    close: () => {
      closed = true
      socket.destroy()
    },
  }
}

const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')

/** Reads responses one after the other, however their bytes are split; `onAnswer` receives each complete one. */
export function reader(onAnswer: (answer: Answer) => void): (data: Buffer) => void {
  let held: Buffer | undefined
  let reading: 'head' | 'body' | 'chunk-size' | 'chunk' = 'head'
  let left = 0
  let status = 0
  let bytes = 0

  const complete = () => {
    reading = 'head'
    onAnswer({ status, bytes })
  }
  const readHead = (head: string) => {
    status = Number(head.slice(9, 12))
    bytes = 0
    const length = contentLength(head)
    left = length ?? 0
    if (length === undefined && status !== 204) reading = 'chunk-size'
    else if (left > 0) reading = 'body'
    else complete()
  }

  return (data) => {
    if (held) data = Buffer.concat([held, data])
    held = undefined
    for (let at = 0; at < data.length;) {
      if (reading === 'head' || reading === 'chunk-size') {
        const mark = reading === 'head' ? headEnd : lineEnd
        const end = data.indexOf(mark, at)
        const last = reading === 'chunk-size' && data[at] === 0x30
        // The last chunk is `0`, with an empty line behind it.
        if (end === -1 || (last && data.length < end + 4)) {
          held = Buffer.from(data.subarray(at))
          return
        }
        const line = data.toString('latin1', at, end)
        at = end + mark.length
        if (reading === 'head') readHead(line)
        else if (last) {
          at += 2
          complete()
        } else {
          left = Number.parseInt(line, 16) + 2
          bytes -= 2
          reading = 'chunk'
        }
        continue
      }
      const part = Math.min(left, data.length - at)
      left -= part
      bytes += part
      at += part
      if (left > 0) continue
      if (reading === 'chunk') reading = 'chunk-size'
      else complete()
    }
  }
}

function contentLength(head: string): number | undefined {
  const own = head.indexOf('content-length: ')
  // Other servers write it so.
  const at = own === -1 ? head.indexOf('Content-Length: ') : own
  return at === -1 ? undefined : Number.parseInt(head.slice(at + 16, at + 28), 10)
}
