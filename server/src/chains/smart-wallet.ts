import {
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
  parseAbi,
  size,
} from 'viem'
import { chainUnavailable, rpcClient } from './client.ts'
import { type Chain, hasCode, readViewBytes } from './contract-view.ts'
import { isExecutionError } from './execution-errors.ts'
import type { Config } from '../config/settings.ts'

/**
 * Returns true when a wallet that is a contract, or will become one, accepts the signature of a hash as its own (EIP-1271,
 * EIP-6492). Returns false on a chain for which no RPC URL is configured; a chain that does not answer is a 502.
 */
export async function verifyBySmartWallet(
  config: Pick<Config, 'rpcUrls'>,
  chainId: number,
  wallet: Hex,
  hash: Hex,
  signature: Hex,
): Promise<boolean> {
  const rpc = rpcClient(config, chainId)
  if (!rpc) return false
  if (size(signature) < shortest) return verifyByContract({ id: chainId, rpc }, wallet, hash, signature)
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [wallet, hash, signature],
  })
  try {
    // This is not viem's verifyHash, which returns false, as for a bad signature, when the node is down.
    return /^0x0*1$/.test(await rpc.request({ method: 'eth_call', params: [{ data }, 'latest'] }))
  } catch (error) {
    if (isExecutionError(error)) return false
    throw chainUnavailable(chainId, error)
  }
}

/** The validator of EIP-6492 reads the last 32 bytes of a signature, and fails where there are fewer. */
const shortest = 32

const wallets = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const yes = /^0x1626ba7e0{56}/

/**
 * Checks a short or empty signature with a contract that exists. A wallet without code costs one query. Precompiled contracts
 * have no code, and one of them would send back the beginning of the query, which is what stands for yes.
 */
async function verifyByContract(chain: Chain, wallet: Hex, hash: Hex, signature: Hex): Promise<boolean> {
  if (!(await hasCode(chain, wallet))) return false
  return yes.test((await readViewBytes(chain, wallet, wallets, 'isValidSignature', [hash, signature])) ?? '')
}
