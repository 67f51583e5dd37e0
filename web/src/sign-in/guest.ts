// A person without a wallet has a key that is made here and opened by a passkey. The service stores it encrypted, and
// this page has it in memory alone, until the wallet signs out.

import { createClient } from '@parley/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { guestKeyName, openGuestKey, type PrivateKey, sealGuestKey } from '../passkeys/guest-key.ts'
import { handleOf, readHandle } from '../passkeys/handle.ts'
import { forgetPasskey, makePasskey, type UsedPasskey, usePasskey } from '../passkeys/passkey.ts'
import { shortAddress } from '../seal/address.ts'
import { client, service } from '../service/api.ts'
import { serviceHost } from '../service/host.ts'
import { currentAccount } from '../service/session.ts'
import { signIn } from './sign-in.ts'
import { onLeave } from './sign-out.ts'

const keys = new Map<string, PrivateKey>()
onLeave((address) => keys.delete(address))

/** Makes a wallet and a passkey that opens it, and signs in. Nothing stays of it where one of the steps fails. */
export async function signInAsNewGuest(): Promise<void> {
  const key = generatePrivateKey()
  const address = addressOf(key)
  const handle = handleOf('account', address)
  const { credential, secret } = await makePasskey({ handle, name: shortAddress(address) })
  try {
    const sealed = await sealedBy(secret, key)
    await signInAs(key, credential, (asWallet) => asWallet.storeGuestKey(sealed))
  } catch (error) {
    forgetPasskey(credential)
    throw error
  }
}

/** Makes another passkey that opens a wallet, on a device that has none for it. */
export async function addGuestPasskey(address: string): Promise<void> {
  const known = currentAccount()?.credential
  const key = keys.get(address) ?? (await openAgain(address))
  const { credential, secret } = await makePasskey({
    handle: handleOf('account', address),
    name: shortAddress(address),
    exclude: known ? [known] : [],
  })
  try {
    await client.storeGuestKey(await sealedBy(secret, key))
  } catch (error) {
    forgetPasskey(credential)
    throw error
  }
}

/** Returns what the service stores of a key. */
async function sealedBy(secret: UsedPasskey['secret'], key: PrivateKey) {
  const address = addressOf(key)
  const data = await sealGuestKey(secret, key, { host: serviceHost, address })
  return { address, guest_key: await guestKeyName(secret), body: { data } }
}

/** Signs in as the wallet that a passkey opens. The browser asks which passkey to use. */
export async function signInAsGuest(): Promise<void> {
  const used = await usePasskey()
  await signInAs(await openedBy(used), used.credential)
}

type Storing = Parameters<typeof signIn>[0]['first']

async function signInAs(key: PrivateKey, credential: string, first?: Storing): Promise<void> {
  const account = privateKeyToAccount(key)
  const address = addressOf(key)
  // The backup of encryption keys is opened with it as soon as the wallet is signed in.
  keys.set(address, key)
  try {
    const signMessage = (message: string) => account.signMessage({ message })
    await signIn({ kind: 'passkey', credential, address, signMessage, first })
  } catch (error) {
    keys.delete(address)
    throw error
  }
}

const addressOf = (key: PrivateKey) => privateKeyToAccount(key).address.toLowerCase()

/** Returns the key that a passkey opens, which must be that of the wallet for which the passkey was made. */
async function openedBy({ handle, secret }: UsedPasskey): Promise<PrivateKey> {
  const known = readHandle(handle)
  if (!known) throw new Error('This passkey was made for something else. Choose another one.')
  const { purpose, address } = known
  if (purpose === 'messages')
    throw new Error(
      `This passkey unlocks the messages of ${shortAddress(address)}. It doesn’t sign in: use the wallet.`,
    )
  const name = { address, guest_key: await guestKeyName(secret) }
  const [stored] = await createClient(service).getGuestKey(name)
  // The passkey stays: the service may have the key again, and it is of use to nobody else.
  if (!stored)
    throw new Error(
      `${serviceHost} has nothing that this passkey opens: its account was erased, or it was never finished. If you didn’t erase it, keep the passkey and tell the administrator.`,
    )
  const place = { host: serviceHost, address }
  const key = await openGuestKey(secret, stored.data, place).catch(() => undefined)
  if (!key || addressOf(key) !== address)
    throw new Error(
      `${serviceHost} gave out a changed key, which this passkey doesn’t open. You are not signed in. Tell the administrator.`,
    )
  return key
}

/** Asks for the passkey of a wallet again, and returns its key. */
export async function openAgain(address: string): Promise<PrivateKey> {
  const account = currentAccount()
  const { credential } = account?.address === address ? account : {}
  const key = await openedBy(await usePasskey(credential ? [credential] : []))
  if (addressOf(key) !== address) throw new Error('This passkey opens another account. Choose another one.')
  return key
}

/** Returns true when the page can sign as this wallet without asking for its passkey. */
export const isOpenHere = (address: string): boolean => keys.has(address)

export async function signAsGuest(address: string, message: string): Promise<`0x${string}`> {
  const key = keys.get(address) ?? (await openAgain(address))
  keys.set(address, key)
  return privateKeyToAccount(key).signMessage({ message })
}
