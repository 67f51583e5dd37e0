import { randomBytes } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { spendNonce } from '../../server/src/features/sign-in/store.ts'
import type { Baseline } from './case.ts'
import type { Traffic } from '../load/load.ts'
import { request, type Access } from '../service/access.ts'

/** This is more than a run can use up. */
const perSecond = 4000

/** Makes sign-ins, each valid once: the nonces are fetched and signed before the clock starts. */
export async function signIns(access: Access, seconds: number): Promise<Traffic> {
  const accounts = Array.from({ length: 100 }, () => privateKeyToAccount(generatePrivateKey()))
  const requests: Traffic['requests'] = []
  const signOne = async (n: number) => {
    const account = accounts[n % accounts.length]!
    const answer = await fetch(`http://127.0.0.1:${access.port}/users/${account.address}/nonce`)
    const { message } = (await answer.json()) as { message: string }
    const body = { address: account.address, msg: message, sig: await account.signMessage({ message }) }
    requests.push({ bytes: await request(access, null, 'POST', '/signin', body), kind: '' })
  }
  const count = Math.ceil(seconds * perSecond)
  for (let n = 0; n < count; n += 50) await Promise.all(Array.from({ length: 50 }, (_, i) => signOne(n + i)))
  return { requests, once: true }
}

/** Spends nonces without checking any signature. */
export const spending: Baseline = {
  name: 'spend nonce',
  work: async () => {
    const expiry = new Date(Date.now() + 600_000)
    return (db) => spendNonce(db, randomBytes(28).toString('hex'), expiry)
  },
}
