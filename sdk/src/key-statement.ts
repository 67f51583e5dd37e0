// A smart wallet has no key of its own, so it proves its encryption key by a signature that its contract confirms (EIP-1271,
// ERC-6492). This is the text that it signs and the form of the proof; docs/encryption.md specifies both. The service and clients
// use the same file, so it imports little.

import { fromBase64, toBase64 } from './bytes.ts'

const prefix = 'parley-contract-1.'

/** The proof of a key by a contract. */
export interface ContractProof {
  /** The contract is on this chain. */
  chainId: number
  /** The number of the statement, which grows with each. */
  number: number
  /** `0x` and hexadecimal digits. It may be empty: some contracts keep the hashes that their owners have approved. */
  signature: `0x${string}`
}

/** Returns true for what begins as the proof of a contract does; only such a one needs its chain to be asked. */
export const isContractProof = (proof: string): boolean => proof.startsWith(prefix)

/** Writes a proof as it is published: its chain, its number and the signature. */
export const writeContractProof = ({ chainId, number, signature }: ContractProof): string =>
  `${prefix}${chainId}.${number}.${toBase64(Uint8Array.from(signature.slice(2).match(/../g) ?? [], (two) => Number.parseInt(two, 16)))}`

/** Reads a proof; undefined for anything else, and for another spelling of one. */
export function parseContractProof(proof: string): ContractProof | undefined {
  const [, chain, number, data = ''] =
    /^parley-contract-1\.([1-9]\d{0,15})\.([1-9]\d{0,8})\.([\w-]*)$/.exec(proof) ?? []
  if (!chain || !Number.isSafeInteger(Number(chain))) return undefined
  try {
    const digits = Array.from(fromBase64(data), (byte) => byte.toString(16).padStart(2, '0'))
    const read = {
      chainId: Number(chain),
      number: Number(number),
      signature: `0x${digits.join('')}`,
    } as const
    return writeContractProof(read) === proof ? read : undefined
  } catch {
    return undefined
  }
}

/** What is proven: the wallet at this address says it at the service of this host. */
export interface KeyStatement {
  host: string
  address: string
  /** A public key alone, `on <number> <public key>`, or `off <number>`. */
  claim: string
}

/**
 * Returns the text that a contract confirms with a proof; undefined where the proof is for another claim. The proof of a statement
 * that encryption is on proves its key too, so that turning it on takes one signature.
 */
export function keyStatementText(
  { host, address, claim }: KeyStatement,
  { chainId, number }: Omit<ContractProof, 'signature'>,
): string | undefined {
  const [, on, key, off] = /^(?:(?:on (\d+) )?([\w-]{43})|off (\d+))$/.exec(claim) ?? []
  const stated = on ?? off
  if ((!key && !off) || (stated !== undefined && stated !== `${number}`)) return undefined
  return `My encryption key on ${host}.\n\nService: ${host}\nWallet: ${address}\nChain ID: ${chainId}\nEncryption: ${key ? `on ${number} ${key}` : `off ${number}`}\n\nSign this only when you use Parley at ${host}: it says with which key others encrypt messages to this wallet. It costs nothing and sends no transaction.`
}
