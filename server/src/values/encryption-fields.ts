// The two client-side encryption fields carry a vendor segment in their names (ENCRYPTION_VENDOR, `x` by default). Inside
// the service they have one name; here, at the edge, they get the configured one.

import { encryptionFields } from '@parley/sdk/contract/encryption.ts'

export interface VendorNames {
  /** Renames the fields of a request body. */
  incoming: (body: unknown) => unknown
  /** Renames the keys of JSON text. A quoted name before a colon can only be a key: inside a string the quote is escaped. */
  outgoing: <Json extends string | Buffer>(json: Json) => Json | string
  /** Renames every mention, for the docs. */
  mentions: (json: string) => string
}

const same = <T>(value: T) => value

export function vendorNames(vendor: string): VendorNames {
  if (vendor === 'x') return { incoming: same, outgoing: same, mentions: same }
  const names = Object.entries(encryptionFields(vendor))
  const replace = (json: string, mark: (name: string) => string) =>
    names.reduce((text, [ours, wire]) => text.replaceAll(mark(ours), mark(wire)), json)
  return {
    incoming: (body) => {
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
      const renamed: Record<string, unknown> = { ...body }
      for (const [ours] of names) delete renamed[ours]
      for (const [ours, wire] of names)
        if (Object.hasOwn(body, wire)) renamed[ours] = (body as Record<string, unknown>)[wire]
      return renamed
    },
    outgoing: (json) => replace(String(json), (name) => `"${name}":`),
    mentions: (json) => replace(json, same),
  }
}
