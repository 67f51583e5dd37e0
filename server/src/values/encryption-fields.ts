// The two encryption fields have other names on the wire when ENCRYPTION_VENDOR is set. Inside the
// service they keep the default ones.

import { encryptionFields, fieldRenaming } from '@parley/sdk/contract/encryption.ts'

export interface EncryptionFields {
  /** Renames the fields of a parsed request body. A field under its default name is dropped. */
  fromWire: (body: unknown) => unknown
  /** Renames the keys of JSON text. */
  toWire: (json: string) => string
  /** The same for a page of JSON text as bytes. */
  pageToWire: (json: Buffer) => Buffer
  /** Renames every mention in the docs. */
  inDocs: (json: string) => string
}

const same = <T>(value: T) => value

/** The names of the encryption fields for a vendor segment. */
export function encryptionFieldsOf(vendor: string): EncryptionFields {
  if (vendor === 'x') return { fromWire: same, toWire: same, pageToWire: same, inDocs: same }
  const names = Object.entries(encryptionFields(vendor))
  const { toWire } = fieldRenaming(vendor)
  return {
    fromWire: (body) => {
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
      const renamed: Record<string, unknown> = { ...body }
      for (const [ours] of names) delete renamed[ours]
      for (const [ours, wire] of names)
        if (Object.hasOwn(body, wire)) renamed[ours] = (body as Record<string, unknown>)[wire]
      return renamed
    },
    toWire,
    pageToWire: (json) => Buffer.from(toWire(json.toString())),
    inDocs: (json) => names.reduce((text, [ours, wire]) => text.replaceAll(ours, wire), json),
  }
}
