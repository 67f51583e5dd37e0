// What changes the keys of the signed-in wallet. It is loaded when somebody asks for it.

import { ApiError } from '@parley/sdk'
import { cache, client } from '../service/api.ts'
import { currentAccount } from '../service/session.ts'
import {
  type BackedKey,
  type Backup,
  makeLock,
  mergeBackups,
  mostKeys,
  newCode,
  newKeyPair,
  openKeys,
  type Secret,
} from './backup.ts'
import { toBase64 } from './bytes.ts'
import { serviceHost } from './host.ts'
import { canonicalSignature, proveKey } from './key-proof.ts'
import { keyring, loadKeyring, missingKeys, noteSwitch, provenBackup } from './keyring.ts'
import { isKeyOf } from './proof.ts'
import { signAsCurrent } from './sign.ts'
import { unlockText } from './statements.ts'
import { keepInVault } from './vault.ts'

const unusable =
  'Others could not check the signature of this kind of wallet, so encryption is not possible with it.'

/** Asks the wallet for the one signature that opens its backup and proves its keys. */
async function askWallet(address: string): Promise<string> {
  const signature = await signAsCurrent(unlockText(serviceHost, address))
  try {
    return canonicalSignature(signature)
  } catch {
    throw new Error(unusable)
  }
}

/**
 * Makes a new key the current one, with one signature. Earlier keys stay in the ring, and those that
 * the signature opens are opened here.
 */
export async function setUp(): Promise<void> {
  const { address, kind } = currentAccount()!
  const { backup } = currentRing()
  if (backup.keys.length >= mostKeys) throw new Error('This wallet has as many keys as it may have.')
  const signature = await askWallet(address)
  const { pair, pkcs8 } = await newKeyPair()
  const key = toBase64(pair.raw)
  const sig = await proveKey({ host: serviceHost, address, key }, signature)
  if (!(await isKeyOf(address, { key, sig }))) throw new Error(unusable)
  const secret: Secret = { kind: 'signature', text: signature }
  const locks = [await makeLock(secret, pkcs8)]
  const pairs = [pair, ...(await openKeys(backup.keys, secret))]
  // A throw-away key signs the same text the same each time. Of a wallet that is seen only when it
  // signs again, so there is a code until then.
  const isSteady = kind === 'throw-away' || backup.steady === true
  const code = isSteady ? undefined : (codeHere() ?? newCode())
  if (code) locks.push({ ...(await makeLock({ kind: 'code', text: code }, pkcs8)), unseen: true })
  await keepInVault(address, { pairs, code })
  await publish(
    (ring) => ({ ...ring, keys: [...ring.keys, { key, sig, locks }], ...(isSteady && { steady: true }) }),
    true,
  )
  noteSwitch(true)
}

/** Opens keys on this device: with the wallet's signature, or with a recovery code. */
export async function unlock(code?: string): Promise<void> {
  const ring = keyring.get()
  if (ring.state !== 'locked' && ring.state !== 'open') return
  const { address, backup, on } = ring
  const secret: Secret = code
    ? { kind: 'code', text: code }
    : { kind: 'signature', text: await askWallet(address) }
  const missing = missingKeys(ring)
  const pairs = await openKeys(missing, secret)
  if (pairs.length > 0) {
    await keepInVault(address, { pairs, backup: JSON.stringify(backup), on })
    await loadKeyring()
  }
  const isNews = !code && backup.steady === undefined && missing.some(hasSignatureLock)
  // Without a connection it is seen the next time.
  if (isNews) await noteSteady(pairs.length > 0).catch(() => {})
  if (pairs.length === 0) throw new Error(code ? wrongCode : wrongSignature)
  if (keyring.get().state === 'locked') throw new Error('That opens older messages, not the newest ones.')
}

const wrongCode = 'This is not the recovery code.'
const wrongSignature =
  'Your wallet signs differently each time, so it does not open these messages. The recovery code does: the device on which encryption was turned on shows it in its settings.'

const hasSignatureLock = ({ locks }: BackedKey) => locks.some(({ kind }) => kind === 'signature')

/** Has the wallet sign once more, and keeps whether it signs the same. */
export async function checkWallet(): Promise<void> {
  const ring = keyring.get()
  if (ring.state !== 'open') return
  const secret: Secret = { kind: 'signature', text: await askWallet(ring.address) }
  const current = ring.backup.keys.slice(-1)
  await noteSteady((await openKeys(current, secret)).length > 0)
}

/** Once a wallet is known to open its backup, codes that nobody has seen are of no use. */
async function noteSteady(steady: boolean): Promise<void> {
  if (steady) await keepInVault(currentAccount()!.address, { code: undefined })
  await publish((ring) => ({
    ...ring,
    steady,
    keys: ring.keys.map((one) => ({ ...one, locks: one.locks.filter(({ unseen }) => !(steady && unseen)) })),
  }))
}

/** The recovery code was kept by somebody: this device forgets it. */
export async function codeWasSeen(): Promise<void> {
  await publish((ring) => ({
    ...ring,
    keys: ring.keys.map((one) => ({ ...one, locks: one.locks.map(({ unseen: _unseen, ...lock }) => lock) })),
  }))
  await keepInVault(currentAccount()!.address, { code: undefined })
  await loadKeyring()
}

/** Switches encryption of new messages on or off. */
export async function switchEncryption(on: boolean): Promise<void> {
  await publish((ring) => ring, on)
  noteSwitch(on)
}

/** Gives the service again what it no longer has. */
export const storeAgain = (): Promise<void> => publish((ring) => ring, currentRing().on)

/** What is known of the ring; nothing before it was set up. */
function currentRing(): { backup: Backup; on: boolean } {
  const ring = keyring.get()
  return 'backup' in ring ? ring : { backup: { v: 2, keys: [] }, on: false }
}

function codeHere(): string | undefined {
  const ring = keyring.get()
  return 'code' in ring ? ring.code : undefined
}

/**
 * Publishes a changed ring; what another device has published meanwhile stays in it. Without `on`
 * encryption stays on or off.
 */
async function publish(change: (ring: Backup) => Backup, on?: boolean): Promise<void> {
  const { address } = currentAccount()!
  const { backup: here } = currentRing()
  for (let attempt = 1; ; attempt++) {
    const [published] = await client.getKey({ address })
    const ring = change(mergeBackups(here, await provenBackup(address, published, here)))
    const { key, sig } = ring.keys.at(-1)!
    const isOn = on ?? (published ? published.public_key !== '' : currentRing().on)
    const body = {
      address,
      public_key: isOn ? key : '',
      signature: isOn ? sig : '',
      backup: JSON.stringify(ring),
      replaces: published?.updated_at ?? '',
    }
    try {
      await client.publishKey({ address, body })
      await keepInVault(address, { backup: body.backup, on: isOn })
      break
    } catch (error) {
      if (attempt === 3 || !(error instanceof ApiError && error.code === 'conflict')) throw error
    }
  }
  await cache.invalidateQueries({ queryKey: ['getKey'] })
  await loadKeyring()
}
