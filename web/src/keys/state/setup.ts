// This file changes the keys of the signed-in wallet. It is loaded when it is needed.

import { ApiError, type PublishedKey } from '@parley/sdk'
import { cache, client } from '../../service/api.ts'
import { currentAccount } from '../../service/session.ts'
import {
  type BackedKey,
  type Backup,
  makeLock,
  mergeBackups,
  mostKeys,
  newCode,
  newKeyPair,
  openKeys,
  openPrivateBytes,
  type PrivateBytes,
  type Secret,
} from '../crypto/backup.ts'
import { toBase64 } from '../crypto/bytes.ts'
import { claimOf } from '../crypto/claim.ts'
import { serviceHost } from './host.ts'
import { canonicalSignature, proveKey, unlockText } from '../crypto/key-proof.ts'
import { keyring, loadKeyring, missingKeys, noteSwitch, provenBackup, statedBy } from './keyring.ts'
import { isKeyOf } from './proof.ts'
import { signAsCurrent } from './sign.ts'
import { signatureOf } from './statement.ts'
import { keepInVault, readVault } from './vault.ts'

const unusable = 'Encryption doesn’t work with this kind of wallet: others couldn’t verify its signature.'

/** Requests the one signature of the wallet that opens its backup and proves its keys. */
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
  if (backup.keys.length >= mostKeys) throw new Error('You already have 16 keys, the maximum.')
  const signature = await askWallet(address)
  const { pair, pkcs8 } = await newKeyPair()
  const key = toBase64(pair.raw)
  const sig = await proveKey({ host: serviceHost, address, key }, signature)
  if (!(await isKeyOf(address, { key, sig }))) throw new Error(unusable)
  const secret: Secret = { kind: 'signature', text: signature }
  const locks = [await makeLock(secret, pkcs8)]
  const pairs = [pair, ...(await openKeys(backup.keys, secret))]
  // A throw-away key signs the same text the same each time. For another wallet this shows only when it signs again, so
  // there is a code until then.
  const isSteady = kind === 'throw-away' || backup.steady === true
  const code = isSteady ? undefined : (codeHere() ?? newCode())
  if (code) locks.push({ ...(await makeLock({ kind: 'code', text: code }, pkcs8)), unseen: true })
  await keepInVault(address, { pairs, code })
  await publish(
    (ring) => ({ ...ring, keys: [...ring.keys, { key, sig, locks }], ...(isSteady && { steady: true }) }),
    { on: true, signature },
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
  // Without a connection it is noticed the next time.
  if (isNews) await noteSteady(pairs.length > 0).catch(() => {})
  if (pairs.length === 0) throw new Error(code ? wrongCode : wrongSignature)
  if (keyring.get().state === 'locked') throw new Error('That unlocks older messages, not the newest ones.')
}

/** Opens the keys with one more signature of the wallet, for another browser. */
export async function privateBytes(): Promise<PrivateBytes[]> {
  const ring = keyring.get()
  if (!('backup' in ring)) return []
  const secret: Secret = { kind: 'signature', text: await askWallet(ring.address) }
  const opened = await openPrivateBytes(ring.backup.keys, secret)
  if (opened.length === 0)
    throw new Error('This wallet can’t unlock its keys again. Use your recovery code in the other browser.')
  return opened
}

const wrongCode = 'Wrong recovery code.'
const wrongSignature =
  'This wallet can’t unlock these messages. Enter your recovery code (shown in the settings of the device where you turned encryption on).'

const hasSignatureLock = ({ locks }: BackedKey) => locks.some(({ kind }) => kind === 'signature')

/** Makes the wallet sign once more, and stores whether the signature is the same. */
export async function checkWallet(): Promise<void> {
  const ring = keyring.get()
  if (ring.state !== 'open') return
  const secret: Secret = { kind: 'signature', text: await askWallet(ring.address) }
  const current = ring.backup.keys.slice(-1)
  await noteSteady((await openKeys(current, secret)).length > 0)
}

/** Once a wallet is known to open its backup, codes that nobody has seen are useless. */
async function noteSteady(steady: boolean): Promise<void> {
  if (steady) await keepInVault(currentAccount()!.address, { code: undefined })
  await publish((ring) => ({
    ...ring,
    steady,
    keys: ring.keys.map((one) => ({ ...one, locks: one.locks.filter(({ unseen }) => !(steady && unseen)) })),
  }))
}

/** Somebody has saved the recovery code: this device forgets it. */
export async function codeWasSeen(): Promise<void> {
  await publish((ring) => ({
    ...ring,
    keys: ring.keys.map((one) => ({ ...one, locks: one.locks.map(({ unseen: _unseen, ...lock }) => lock) })),
  }))
  await keepInVault(currentAccount()!.address, { code: undefined })
  await loadKeyring()
}

/** Switches encryption of new messages on or off. The wallet signs that, so that no service can claim it. */
export async function switchEncryption(on: boolean): Promise<void> {
  const signature = await askWallet(currentAccount()!.address)
  await publish((ring) => ring, { on, signature })
  noteSwitch(on)
}

/** Sends the service again what it no longer has. */
export const storeAgain = (): Promise<void> => publish((ring) => ring)

/** Returns what is known about the ring; an empty one before it was set up. */
function currentRing(): { backup: Backup; on: boolean } {
  const ring = keyring.get()
  return 'backup' in ring ? ring : { backup: { v: 2, keys: [] }, on: false }
}

function codeHere(): string | undefined {
  const ring = keyring.get()
  return 'code' in ring ? ring.code : undefined
}

/** A statement to be made has the wallet's signature that proves it. */
interface Statement {
  on: boolean
  signature: string
}

/**
 * Publishes a changed ring; keys that another device has published meanwhile stay in it. Without a statement encryption
 * stays on or off, as the wallet has stated last.
 */
async function publish(change: (ring: Backup) => Backup, statement?: Statement): Promise<void> {
  const { address } = currentAccount()!
  const { backup: here } = currentRing()
  for (let attempt = 1; ; attempt++) {
    const [published] = await client.getKey({ address })
    const ring = change(mergeBackups(here, await provenBackup(address, published, here)))
    const { key, sig } = ring.keys.at(-1)!
    const last = await lastStated(address, published)
    const isOn = statement?.on ?? (last ? last.key !== '' : currentRing().on)
    const public_key = isOn ? key : ''
    const stated = statement
      ? await state(address, public_key, (last?.count ?? 0) + 1, statement.signature)
      : last?.key === public_key
        ? last
        : undefined
    const body = {
      address,
      public_key,
      signature: stated?.signature ?? (isOn ? sig : ''),
      backup: JSON.stringify(ring),
      replaces: published?.updated_at ?? '',
    }
    try {
      await client.publishKey({ address, body })
      await keepInVault(address, { backup: body.backup, on: isOn, ...(stated && { stated }) })
      break
    } catch (error) {
      if (attempt === 3 || !(error instanceof ApiError && error.code === 'conflict')) throw error
    }
  }
  await cache.invalidateQueries({ queryKey: ['getKey'] })
  await loadKeyring()
}

/** Returns the latest statement of the wallet: the published one, or a later one that this device has seen. */
async function lastStated(address: string, published: PublishedKey | undefined) {
  const there = published && (await statedBy(address, published))
  const here = (await readVault(address))?.stated
  return here && here.count >= (there?.count ?? 0) ? here : there
}

/** States that encryption is on with a key, or off when the key is empty. */
async function state(address: string, key: string, count: number, signature: string) {
  const proof = await proveKey({ host: serviceHost, address, key: claimOf(count, key) }, signature)
  return { key, count, signature: signatureOf(count, proof) }
}
