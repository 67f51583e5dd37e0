// The wallets that are signed in in this browser. Each keeps its token here until it expires, so
// that people stay signed in and can switch between wallets. Throw-away keys have an entry of their
// own: they stay after signing out, so that the wallet can sign in again, and are deleted only on
// request.

import { createStore, useStore } from '../ui/store.ts'

export interface Account {
  address: string
  /** wallet: one outside of this page; throw-away: a key kept in this browser. */
  kind: 'wallet' | 'throw-away'
  token: string
  /** Milliseconds since 1970. */
  expiresAt: number
  /** The wagmi connector of the wallet, to ask it for another signature. */
  connectorId?: string
}

interface Accounts {
  current: string | null
  all: Account[]
}

const entry = 'parley.accounts'
const keysEntry = 'parley.throw-away-keys'
const accounts = createStore(load())
let ended = false

/** Whether a session ended because its token was no longer accepted. */
export const sessionHasEnded = (): boolean => ended

addEventListener('storage', ({ key }) => {
  if (key === entry) accounts.set(load())
})

/** The wallet that is signed in, if any. */
export const useAccount = (): Account | null => currentOf(useStore(accounts))

/** Every wallet that is signed in here. */
export const useAccounts = (): Account[] => useStore(accounts).all

/** The wallet that is signed in, for pages that are shown only then. */
export function useMe(): string {
  const account = useAccount()
  if (!account) throw new Error('This page is for a wallet that is signed in')
  return account.address
}

const currentOf = ({ current, all }: Accounts): Account | null =>
  all.find(({ address }) => address === current) ?? null

export const currentAccount = (): Account | null => currentOf(accounts.get())
export const currentToken = (): string | undefined => currentAccount()?.token

export function startSession(account: Account): void {
  ended = false
  const others = accounts.get().all.filter(({ address }) => address !== account.address)
  save({ current: account.address, all: [...others, account] })
}

export function switchAccount(address: string): void {
  save({ ...accounts.get(), current: address })
}

/** Signs the current wallet out. Another one that is signed in becomes the current one. */
export function signOut(): void {
  const { current, all: before } = accounts.get()
  const all = before.filter(({ address }) => address !== current)
  save({ current: all[0]?.address ?? null, all })
}

/** Ends the session of a token that is no longer accepted. Its wallet has to sign in again. */
export function endSession(token: string): void {
  const { current, all: before } = accounts.get()
  const all = before.filter((account) => account.token !== token)
  if (all.length === before.length) return
  const wasCurrent = currentToken() === token
  ended ||= wasCurrent
  save({ current: wasCurrent ? null : current, all })
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
  const kept: Accounts = JSON.parse(localStorage.getItem(entry) ?? 'null') ?? { current: null, all: [] }
  const all = kept.all.filter(({ expiresAt }) => expiresAt > Date.now())
  const current = all.some(({ address }) => address === kept.current) ? kept.current : null
  return { current, all }
}

function save(next: Accounts): void {
  localStorage.setItem(entry, JSON.stringify(next))
  accounts.set(next)
}
