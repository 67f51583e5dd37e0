/**
 * Returns true for the code of a contract. An account whose own key still signs, and which only runs the code of a contract
 * (EIP-7702), has a mark in its place.
 */
export const isContractCode = (code: unknown): boolean =>
  typeof code === 'string' && /^0x[0-9a-f]{2}/i.test(code) && !/^0xef0100/i.test(code)

/** Says why a smart wallet cannot sign in, and what its owner can do. */
export function unasked(host: string, chainId: number, chains: number[]): string {
  const on = `This is a smart wallet on chain ${chainId}, and ${host} can’t check what it signs.`
  if (chains.length === 0) return `${on} Sign in with another wallet. Nothing was signed.`
  const which = chains.length === 1 ? `chain ${chains[0]}` : `one of the chains ${chains.join(', ')}`
  return `${on} If you have it on ${which} too, switch to that in your wallet. Nothing was signed.`
}
