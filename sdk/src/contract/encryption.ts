// Two fields of a message belong to client-side encryption. The operator of a service may change a
// segment of their names (ENCRYPTION_VENDOR). Types and code know the default names only; JSON text
// is renamed where it enters and leaves.

/** The names of the two fields on the wire, for a vendor segment (`x` by default). */
export const encryptionFields = (vendor: string) => ({
  encrypted_sym_x_key: `encrypted_sym_${vendor}_key`,
  x_access_conditions: `${vendor}_access_conditions`,
})

/** Renames keys in JSON text as JSON.stringify writes it: without white space before colons. */
export interface FieldRenaming {
  /** From the default names to those of the vendor. */
  toWire: (json: string) => string
  /** From the names of the vendor to the default ones. */
  fromWire: (json: string) => string
}

const same = (json: string) => json

/**
 * Renames the two encryption fields in JSON text. Only keys change: a quoted name before a colon is
 * never part of a value, because a quote inside of a string is escaped.
 */
export function fieldRenaming(vendor = 'x'): FieldRenaming {
  if (vendor === 'x') return { toWire: same, fromWire: same }
  const keys = Object.entries(encryptionFields(vendor)).map((names) => names.map((name) => `"${name}":`))
  return {
    toWire: (json) => keys.reduce((text, [ours, wire]) => text.replaceAll(ours!, wire!), json),
    fromWire: (json) => keys.reduce((text, [ours, wire]) => text.replaceAll(wire!, ours!), json),
  }
}
