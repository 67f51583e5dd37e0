// Ethereum and all chains with its addresses: texts of EIP-4361, signatures of EIP-191, EIP-1271 and EIP-6492.

import { checksum } from 'ox/Address'
import { isEvmAddress } from '../../values/formats.ts'
import { plainHex, verifySignature } from './signature.ts'
import { parseSiwe } from './siwe.ts'
import type { Chain } from './chain.ts'

export const evm: Chain = {
  isAddress: isEvmAddress,
  written: checksum,
  parse: parseSiwe,
  verify: (config, signed) => verifySignature(config, { ...signed, signature: plainHex(signed.signature) }),
}
