// This file has the wallets that are signed in in this browser: their names, and nothing that signs in, which a cookie
// holds for each (tokens.ts). Throw-away keys have an entry of their own: they stay after signing out, so that the
// wallet can sign in again, and are deleted only on request.

import { createStore, useStore } from '../state/store.ts'

export interface Account {
  address: string
  /**
   * wallet: one outside of this page; throw-away: a key that this browser stores; handed-over: another browser has
   * signed it in, and there is no wallet here.
   */
  kind: 'wallet' | 'throw-away' | 'handed-over'
  /** The wagmi connector of the wallet requests another signature. */
  connectorId?: string
  /** The wallet has no key of Ethereum to sign in with, so others cannot check what it signs. */
  isContract?: true
}

interface Accounts {
  current: string | null
  all: Account[]
}

const entry = 'parley.accounts'
const keysEntry = 'parley.throw-away-keys'
const accounts = createStore(load())

/** The tab knows it also after a reload: a phone reloads a page that was in the background. */
const endedEntry = 'parley.session-ended'

/** Returns true when a session ended without an action of the user. */
export const sessionHasEnded = (): boolean => sessionStorage.getItem(endedEntry) !== null

addEventListener('storage', ({ key }) => {
  if (key === entry) accounts.set(load())
})

/** Returns the wallet that is signed in, if any. */
export const useAccount = (): Account | null => currentOf(useStore(accounts))

/** Returns every wallet that is signed in here. */
export const useAccounts = (): Account[] => useStore(accounts).all

/** Returns the wallet that is signed in, for pages that are shown only then. */
export function useMe(): string {
  const account = useAccount()
  if (!account) throw new Error('This page is for a wallet that is signed in')
  return account.address
}

const currentOf = ({ current, all }: Accounts): Account | null =>
  all.find(({ address }) => address === current) ?? null

export const currentAccount = (): Account | null => currentOf(accounts.get())

let prepare = async (): Promise<void> => {}
/** `loading` loads what notices that a session starts. */
export const beforeSession = (loading: () => Promise<void>) => void (prepare = loading)

export async function startSession(account: Account): Promise<void> {
  await prepare()
  sessionStorage.removeItem(endedEntry)
  const others = accounts.get().all.filter(({ address }) => address !== account.address)
  save({ current: account.address, all: [...others, account] })
}

export function switchAccount(address: string): void {
  save({ ...accounts.get(), current: address })
}

/** Removes a wallet. When it was the current one, another that is signed in replaces it. */
export function removeAccount(address: string): void {
  const { current, all: before } = accounts.get()
  const all = before.filter((account) => account.address !== address)
  save({ current: current === address ? (all[0]?.address ?? null) : current, all })
}

/** Ends the session of a wallet that the service no longer accepts. It has to sign in again. */
export function endSession(address: string): void {
  const { current, all } = accounts.get()
  if (all.every((account) => account.address !== address)) return
  const wasCurrent = current === address
  if (wasCurrent) sessionStorage.setItem(endedEntry, 'yes')
  save({ current: wasCurrent ? null : current, all: all.filter((account) => account.address !== address) })
}

/** Calls back when the signed-in wallet changes, with its address or null. */
export function onAccountChange(callback: (address: string | null) => void): () => void {
  let known = accounts.get().current
  return accounts.subscribe(() => {
    const { current } = accounts.get()
    if (current === known) return
    known = current
    callback(current)
  })
}

export const throwAwayKeys = (): Record<string, `0x${string}`> =>
  JSON.parse(localStorage.getItem(keysEntry) ?? '{}')

export function keepThrowAwayKey(address: string, key: `0x${string}`): void {
  localStorage.setItem(keysEntry, JSON.stringify({ ...throwAwayKeys(), [address]: key }))
}

export function forgetThrowAwayKey(address: string): void {
  const { [address]: _forgotten, ...rest } = throwAwayKeys()
  localStorage.setItem(keysEntry, JSON.stringify(rest))
}

function load(): Accounts {
  return JSON.parse(localStorage.getItem(entry) ?? 'null') ?? { current: null, all: [] }
}

function save(next: Accounts): void {
  localStorage.setItem(entry, JSON.stringify(next))
  accounts.set(next)
}
