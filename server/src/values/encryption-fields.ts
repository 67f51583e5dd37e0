// The two encryption fields have other names on the wire when ENCRYPTION_VENDOR is set. Inside the
// service they keep the default ones.

import { encryptionFields, fieldRenaming } from '@parley/sdk/contract/encryption.ts'

export interface VendorNames {
  /** Renames the fields of a parsed request body. A field under its default name is dropped. */
  incoming: (body: unknown) => unknown
  /** Renames the keys of JSON text. */
  outgoing: <Json extends string | Buffer>(json: Json) => Json | string
  /** Renames every mention, for the docs. */
  mentions: (json: string) => string
}

const same = <T>(value: T) => value

export function vendorNames(vendor: string): VendorNames {
  if (vendor === 'x') return { incoming: same, outgoing: same, mentions: same }
  const names = Object.entries(encryptionFields(vendor))
  const { toWire } = fieldRenaming(vendor)
  return {
    incoming: (body) => {
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
      const renamed: Record<string, unknown> = { ...body }
      for (const [ours] of names) delete renamed[ours]
      for (const [ours, wire] of names)
        if (Object.hasOwn(body, wire)) renamed[ours] = (body as Record<string, unknown>)[wire]
      return renamed
    },
    outgoing: (json) => toWire(String(json)),
    mentions: (json) => names.reduce((text, [ours, wire]) => text.replaceAll(ours, wire), json),
  }
}
