// Two fields of a message belong to client-side encryption. The operator of a service may change a
// segment of their names (ENCRYPTION_VENDOR). Types and code know the default names only; they are
// renamed where JSON enters and leaves, by the client and by the service.

/** Returns the names of the two fields on the wire, for a vendor segment (`x` by default). */
export const encryptionFields = (vendor: string) => ({
  encrypted_sym_x_key: `encrypted_sym_${vendor}_key`,
  x_access_conditions: `${vendor}_access_conditions`,
})

/** Returns true when the client has encrypted a message: the service then has no text that anyone reads. */
export const isEncrypted = (item: {
  encrypted_sym_x_key?: unknown
  x_access_conditions?: unknown
}): boolean => Boolean(item.encrypted_sym_x_key || item.x_access_conditions)

/** Renames keys in JSON text as JSON.stringify writes it: without white space before colons. */
export interface FieldRenaming {
  /** True when there is anything to rename. */
  isNeeded: boolean
  /** Renames from the default names to those of the vendor. */
  toWire: (json: string) => string
  /** Renames from the names of the vendor to the default ones. */
  fromWire: (json: string) => string
}

const same = <Value>(value: Value) => value

/**
 * Renames the two encryption fields in JSON text. Only keys change: a quoted name before a colon is
 * never part of a value, because a quote inside of a string is escaped.
 */
export function fieldRenaming(vendor = 'x'): FieldRenaming {
  if (vendor === 'x') return { isNeeded: false, toWire: same, fromWire: same }
  const keys = Object.entries(encryptionFields(vendor)).map((names) => names.map((name) => `"${name}":`))
  return {
    isNeeded: true,
    toWire: (json) => keys.reduce((text, [ours, wire]) => text.replaceAll(ours!, wire!), json),
    fromWire: (json) => keys.reduce((text, [ours, wire]) => text.replaceAll(wire!, ours!), json),
  }
}

/**
 * Renames the two fields of a parsed request body to the default names: a client may write its JSON
 * with white space. A field under its default name is dropped.
 */
export function bodyRenaming(vendor: string): (body: unknown) => unknown {
  if (vendor === 'x') return same
  const names = Object.entries(encryptionFields(vendor))
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
    const renamed: Record<string, unknown> = { ...body }
    for (const [ours] of names) delete renamed[ours]
    for (const [ours, wire] of names)
      if (Object.hasOwn(body, wire)) renamed[ours] = (body as Record<string, unknown>)[wire]
    return renamed
  }
}
