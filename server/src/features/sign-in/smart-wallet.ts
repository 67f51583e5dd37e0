import {
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
} from 'viem'
import { chainUnavailable, isExecutionError, rpcClient } from '../../chains/client.ts'
import type { Config } from '../../config/settings.ts'

/**
 * Whether a wallet that is a contract, or is to become one, accepts the signature of a hash as its
 * own (EIP-1271, EIP-6492). False on a chain for which no RPC URL is configured; a chain that
 * cannot be asked is a 502.
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
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [wallet, hash, signature],
  })
  try {
    // Not viem's verifyHash: it answers false, as for a bad signature, when the node is down.
    return /^0x0*1$/.test(await rpc.request({ method: 'eth_call', params: [{ data }, 'latest'] }))
  } catch (error) {
    if (isExecutionError(error)) return false
    throw chainUnavailable(chainId, error)
  }
}
