/** The wire names of the two client-side encryption fields for a vendor segment (`x` unless the service sets one). */
export const encryptionFields = (vendor: string) => ({
  encrypted_sym_x_key: `encrypted_sym_${vendor}_key`,
  x_access_conditions: `${vendor}_access_conditions`,
})
