// Videos and sounds play by ranges. The address of a media element leads here and nowhere else. The worker has neither the token nor
// a key: it asks the page that has the element, which reads and opens the bytes (files/played.ts). Nothing of this is stored.

import { type Fetching, type Window, worker } from './scope.ts'

/** The element asks for these bytes, without the last one; without `end` for as many as the page reads at once. */
interface Question {
  id: string
  start: number
  end?: number | undefined
}

/** What a page says of a file that it plays. The bytes may be fewer than asked for. */
interface Answer {
  type: string
  size: number
  bytes: ArrayBuffer
}

const isPlayable = (type: string) => /^(?:audio|video)\/[\w.+-]+$|^application\/ogg$/.test(type)

/** Asks a page for a range; undefined where it has no such file any more. An abort ends its reading. */
async function ask(page: Window, question: Question, signal: AbortSignal): Promise<Answer | undefined> {
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise<Answer | undefined>((resolve) => {
    const stop = () => {
      port1.postMessage('stop')
      resolve(undefined)
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop)
    port1.addEventListener('message', ({ data }) => resolve(data as Answer | undefined))
  })
  port1.start()
  page.postMessage({ type: 'media', ...question }, [port2])
  return answer.finally(() => port1.close())
}

/** Yields the rest of a range. A stream that ends before its last byte is an error for the element. */
function rest(page: Window, { id, start, end }: Required<Question>, first: ArrayBuffer, signal: AbortSignal) {
  const stop = new AbortController()
  signal.addEventListener('abort', () => stop.abort())
  let at = start + first.byteLength
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(new Uint8Array(first)),
      async pull(controller) {
        if (at >= end!) return controller.close()
        const answer = await ask(page, { id, start: at, end }, stop.signal)
        if (!answer?.bytes.byteLength) throw new TypeError('The page has ended it')
        at += answer.bytes.byteLength
        controller.enqueue(new Uint8Array(answer.bytes))
      },
      cancel: () => stop.abort(),
    },
    { highWaterMark: 0 },
  )
}

/**
 * Answers a media element. Where it names the last byte it gets all up to there, because Safari takes nothing else; else as much as
 * the page reads at once, and the element asks again.
 */
export async function answerMedia({ request, clientId }: Fetching): Promise<Response> {
  const id = new URL(request.url).pathname.split('/')[2]!
  const [isRange, from, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('range') ?? '') ?? []
  const start = Number(from ?? 0)
  const upTo = last ? Number(last) + 1 : undefined
  const page = await worker.clients.get(clientId)
  const answer = page && (await ask(page, { id, start, end: upTo }, request.signal))
  if (!page || !answer || !isPlayable(answer.type)) return new Response(null, { status: 404 })
  const { type, size, bytes } = answer
  const headers: Record<string, string> = {
    'accept-ranges': 'bytes',
    'cache-control': 'no-store',
    'content-security-policy': "sandbox; default-src 'none'",
    'content-type': type,
    'x-content-type-options': 'nosniff',
  }
  if (start >= size)
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } })
  const end = isRange && upTo === undefined ? start + bytes.byteLength : Math.min(upTo ?? size, size)
  headers['content-length'] = String(end - start)
  if (isRange) headers['content-range'] = `bytes ${start}-${end - 1}/${size}`
  const isAll = bytes.byteLength === end - start
  const body = isAll ? bytes : rest(page, { id, start, end }, bytes, request.signal)
  return new Response(body, { status: isRange ? 206 : 200, headers })
}
