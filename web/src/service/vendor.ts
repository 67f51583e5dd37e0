// The service may give the two encryption fields other names (ENCRYPTION_VENDOR) and tells the page so. Inside the client
// they have one name; here, at its edge, they get the service's.

import { encryptionFields } from '@parley/sdk/contract/encryption.ts'

const vendor = document.querySelector<HTMLMetaElement>('meta[name=encryption-vendor]')?.content ?? 'x'
const names = Object.entries(encryptionFields(vendor))

// A quoted name before a colon can only be a key: inside a string the quote is escaped.
const toWire = (json: string) =>
  names.reduce((text, [ours, wire]) => text.replaceAll(`"${ours}":`, `"${wire}":`), json)
const fromWire = (json: string) =>
  names.reduce((text, [ours, wire]) => text.replaceAll(`"${wire}":`, `"${ours}":`), json)

/** A `fetch` whose JSON bodies have the names of the service outside, and the client's inside. */
export const withVendorNames = (inner: typeof fetch): typeof fetch =>
  vendor === 'x'
    ? inner
    : async (input, init) => {
        const body = typeof init?.body === 'string' ? toWire(init.body) : init?.body
        const response = await inner(input, { ...init, ...(body !== undefined && { body }) })
        const { status, headers } = response
        if (!response.body || status === 204) return response
        return new Response(renamed(response), { status, headers })
      }

/** An event of the stream is a line, and an answer is one line too, so names are never cut in two. */
function renamed({ body }: Response): ReadableStream<Uint8Array> {
  let rest = ''
  const lines = new TransformStream<string, string>({
    transform(chunk, controller) {
      const end = (rest + chunk).lastIndexOf('\n') + 1
      const text = rest + chunk
      rest = text.slice(end)
      if (end > 0) controller.enqueue(fromWire(text.slice(0, end)))
    },
    flush: (controller) => controller.enqueue(fromWire(rest)),
  })
  return body!.pipeThrough(new TextDecoderStream()).pipeThrough(lines).pipeThrough(new TextEncoderStream())
}
