import { useSyncExternalStore } from 'react'

const lasts = 6_000
const threads = new Map<string, Map<string, ReturnType<typeof setTimeout>>>()
const lists = new Map<string, string[]>()
const listeners = new Set<() => void>()
const nobody: string[] = []

const keyOf = (thread: string) => thread.toLowerCase()

/** Who is typing where, as far as was heard a moment ago. */
export const isTyping = {
  start(thread: string, wallet: string): void {
    const key = keyOf(thread)
    const wallets = threads.get(key) ?? new Map<string, ReturnType<typeof setTimeout>>()
    threads.set(key, wallets)
    clearTimeout(wallets.get(wallet))
    wallets.set(
      wallet,
      setTimeout(() => this.stop(thread, wallet), lasts),
    )
    tell(key)
  },
  stop(thread: string, wallet: string): void {
    const key = keyOf(thread)
    const wallets = threads.get(key)
    if (!wallets?.has(wallet)) return
    clearTimeout(wallets.get(wallet))
    wallets.delete(wallet)
    tell(key)
  },
}

/** The wallets that are typing: in a group chat by its key, in a direct conversation by the peer's address. */
export const useTyping = (thread: string): string[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => lists.get(keyOf(thread)) ?? nobody,
  )

function tell(key: string): void {
  lists.set(key, [...(threads.get(key)?.keys() ?? [])])
  for (const listener of listeners) listener()
}
