// A smart wallet proves its key by a signature that its contract confirms. The page asks the contract through the reader's own
// wallet, where that is on the same chain. Else the service is asked, and its word counts: the page says so.

import { keyStatementText, parseContractProof } from '@parley/sdk/key-statement.ts'
import {
  encodeDeployData,
  encodeFunctionData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  hashMessage,
  type Hex,
  parseAbi,
  size,
} from 'viem'
import { client } from '../../service/api.ts'
import { currentAccount } from '../../service/session.ts'
import type { SignedKey } from '../crypto/scheme.ts'

/** Says who has asked the contract; undefined when it has not signed. */
export type ConfirmedBy = 'own-wallet' | 'service' | undefined

/** The own wallet has this number of milliseconds to answer. */
const patience = 5000

/** Asks the contract of a wallet whether it has signed a key. Throws when nobody could ask it. */
export async function confirmedBy(
  host: string,
  address: string,
  { key, sig }: SignedKey,
): Promise<ConfirmedBy> {
  const proof = parseContractProof(sig)
  const text = proof && keyStatementText({ host, address, claim: key }, proof)
  if (!proof || text === undefined) return undefined
  const own = await askOwnWallet(proof.chainId, address as Hex, hashMessage(text), proof.signature)
  if (own !== undefined) return own ? 'own-wallet' : undefined
  const { holds } = await client.verifyKey({ body: { address, claim: key, proof: sig } })
  return holds ? 'service' : undefined
}

const wallets = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const yes = /^0x1626ba7e0{56}/

/** Returns the answer of the chain through the reader's wallet; undefined where that cannot ask it. */
async function askOwnWallet(
  chainId: number,
  address: Hex,
  hash: Hex,
  signature: Hex,
): Promise<boolean | undefined> {
  const account = currentAccount()
  // A wallet on another device only signs.
  if (account?.kind !== 'wallet') return undefined
  const { readsChains, askWallet } = await import('../../sign-in/wallets.ts')
  const { connectorId } = account
  if (!readsChains(connectorId)) return undefined
  const ask = (method: string, params?: unknown[]) =>
    Promise.race([
      askWallet(connectorId, method, params),
      new Promise<never>((_, reject) => setTimeout(() => reject(new Error('No answer')), patience)),
    ])
  try {
    if (Number(await ask('eth_chainId')) !== chainId) return undefined
    // The validator of ERC-6492 reads the last 32 bytes of a signature, and fails where there are fewer.
    if (size(signature) < 32) {
      const args = [hash, signature] as const
      const data = encodeFunctionData({ abi: wallets, functionName: 'isValidSignature', args })
      // A precompiled contract has no code, and one of them sends back what stands for yes.
      const code = await ask('eth_getCode', [address, 'latest'])
      if (typeof code !== 'string' || code === '0x') return false
      return yes.test(String(await ask('eth_call', [{ to: address, data }, 'latest'])))
    }
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      bytecode: erc6492SignatureValidatorByteCode,
      args: [address, hash, signature],
    })
    return /^0x0*1$/.test(String(await ask('eth_call', [{ data }, 'latest'])))
  } catch {
    // It may be locked, without a connection, or refuse to read.
    return undefined
  }
}
