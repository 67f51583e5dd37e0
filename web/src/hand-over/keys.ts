// Message keys follow a wallet into the browser that it is handed over to. Scripts cannot export the keys that are open
// here, so the wallet signs once more, which opens their backup.

import { fromBase64, toBase64, toBytes, toText } from '@parley/sdk/bytes.ts'
import { keyPairOf } from '../keys/crypto/backup.ts'
import { privateBytes } from '../keys/state/setup.ts'
import { keepInVault } from '../keys/state/vault.ts'
import { seal, unseal } from './secret.ts'

interface Following {
  key: string
  pkcs8: string
}

/** Returns the keys that the wallet opens, sealed with the secret of the link. */
export async function sealKeys(secret: string, wallet: string): Promise<string> {
  const following: Following[] = (await privateBytes()).map(({ key, pkcs8 }) => ({
    key,
    pkcs8: toBase64(pkcs8),
  }))
  return seal(secret, wallet, toBytes(JSON.stringify(following)))
}

/** Opens the keys here. What does not open stays locked, and the recovery code opens it. */
export async function keepKeys(secret: string, wallet: string, sealed: string): Promise<void> {
  const following = JSON.parse(toText(await unseal(secret, wallet, sealed))) as Following[]
  const pairs = await Promise.all(
    following.map(({ key, pkcs8 }) => keyPairOf(fromBase64(pkcs8), fromBase64(key))),
  )
  await keepInVault(wallet, { pairs })
}
