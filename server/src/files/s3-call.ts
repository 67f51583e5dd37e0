// Calls an S3-compatible service for the library that signs. A service that accepts a connection and then says nothing must not
// hold a request: it gets some time for each piece of a body and for the headers of its response, and not for what it waits for.

import { ReadableStream as WebStream } from 'node:stream/web'

const patience = 10_000
/** A service may take longer to store a part than to answer. */
const patienceToStore = 30_000

export function createCall(): typeof fetch {
  return async (url, init) => {
    const stop = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(
        () => stop.abort(new Error('it did not answer in time')),
        init?.body ? patienceToStore : patience,
      )
    }
    const body =
      init?.body instanceof ReadableStream ? timed(init.body, wait, () => clearTimeout(timer)) : init?.body
    wait()
    try {
      return await fetch(url, {
        ...init,
        ...(body !== undefined && { body, duplex: 'half' }),
        // Otherwise a proxy may compress what then has no length.
        headers: { ...(init?.headers as Record<string, string>), 'accept-encoding': 'identity' },
        // A signature is for one host, and a body cannot be sent twice.
        redirect: 'manual',
        signal: stop.signal,
      })
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Makes a body of bytes that are read as it is sent. */
export const streamOf = (bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
  WebStream.from(bytes) as unknown as ReadableStream<Uint8Array>

/** Passes a body on; between two pieces the receiver is waited for, and before each of them the sender. */
function timed(
  body: ReadableStream<Uint8Array>,
  wait: () => void,
  pause: () => void,
): ReadableStream<Uint8Array> {
  async function* pieces() {
    pause()
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
      wait()
      yield piece
      pause()
    }
    wait()
  }
  return streamOf(pieces())
}

/** Rejects when something takes longer than this many milliseconds. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('it sent nothing for too long')), milliseconds)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
