// These wallets have signed out here, and their sessions are to be ended at the service. This is apart from what ends them
// (sign-out.ts), which a page without any does not load.

const entry = 'parley.sign-outs'

export const signingOut = (): string[] => JSON.parse(localStorage.getItem(entry) ?? '[]')

export function keepSigningOut(addresses: string[]): void {
  if (addresses.length > 0) localStorage.setItem(entry, JSON.stringify(addresses))
  else localStorage.removeItem(entry)
}

/** The wallet signs in again: its new session is not the one to end. */
export const withdrawSignOut = (address: string): void =>
  keepSigningOut(signingOut().filter((one) => one !== address))
