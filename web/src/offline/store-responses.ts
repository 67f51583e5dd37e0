// What was last read stays readable without a connection: the device stores responses of the service as they come, and
// shows them at the next load until the service has responded again. It stores only those of the wallet that is signed
// in now, and deletes the data of any other. TanStack's persisters are not used: they store one copy of everything,
// with which two tabs overwrite each other, or only what is fetched, so that a deletion would not reach it.

import type { InboxItem } from '@parley/sdk'
import type { Query, QueryFunctionContext } from '@tanstack/react-query'
import { cache, inboxQuery } from '../service/api.ts'
import { untilReleased } from '../service/hold-reads.ts'
import { currentAccount, onAccountChange } from '../service/session.ts'
import type { Pages } from '../service/pages.ts'
import { readAt } from '../device-store/read-at.ts'
import { useStore } from '../state/store.ts'
import { changeStored, type StoredResponse, keepOnly, putStored, readStored } from '../device-store/store.ts'
import { isInInbox, isLastResort, kindOf, sizeOf, worthKeeping } from './what-to-store.ts'

/** Returns when the service sent the inbox that is shown; undefined when it has responded since the page was loaded. */
export const useReadAt = (): number | undefined => useStore(readAt)

const me = () => currentAccount()?.address

/** Shows stored data while the request runs, or when it cannot be sent. */
async function askAndShow(
  ask: (context: QueryFunctionContext) => unknown,
  context: QueryFunctionContext,
  query: Query,
): Promise<unknown> {
  const answer = askInTime(ask, context, query)
  const kind = kindOf(query.queryKey)
  const wallet = me()
  if (!kind || !wallet || query.state.data !== undefined) return answer
  let isAnswered = false
  const answered = answer.then(
    () => (isAnswered = true),
    () => {},
  )
  const show = async () => {
    if (isLastResort(query.queryKey)) await answered
    const stored = await readStored(wallet, kind, query.queryHash)
    if (!stored || isAnswered || query.state.data !== undefined || me() !== wallet) return
    if (kind === 'rows') readAt.set(stored.at)
    const data = kind === 'history' ? { ...(stored.data as object), storedAt: stored.at } : stored.data
    query.setData(data, { updatedAt: stored.at, manual: true })
  }
  const shown = show()
  return answer.catch(async (error: unknown) => {
    await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, patience))])
    throw error
  })
}

async function askInTime(
  ask: (context: QueryFunctionContext) => unknown,
  context: QueryFunctionContext,
  query: Query,
): Promise<unknown> {
  await untilReleased(query)
  // The request would be sent as the wallet that is signed in now.
  if (cache.getQueryCache().get(query.queryHash) !== query) throw new Error('The wallet has changed.')
  return ask(context)
}

/** Stored data gets this number of milliseconds before the page says that something cannot be read. */
const patience = 2000

/** Changes within this number of milliseconds are stored together. */
const gathered = 500
const changed = new Set<Query>()
let timer: ReturnType<typeof setTimeout> | undefined

function keepSoon(query: Query): void {
  if (!kindOf(query.queryKey)) return
  changed.add(query)
  timer ??= setTimeout(() => void keepNow(), gathered)
}

async function keepNow(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  const wallet = me()
  const rows = wallet ? cache.getQueryData<InboxItem[]>(inboxQuery(wallet).queryKey) : undefined
  // Before that it is not known what may be stored.
  if (!wallet || !rows) return
  const queries = cache.getQueryCache()
  const kinds = new Set([...changed].map(({ queryKey }) => kindOf(queryKey)))
  // New conversations in the inbox may be stored now.
  if (kinds.has('rows')) for (const query of queries.getAll()) if (kindOf(query.queryKey)) changed.add(query)
  const current = [...changed].filter((query) => queries.get(query.queryHash) === query)
  changed.clear()
  const stored = current.flatMap((query) => recordOf(query, wallet, rows) ?? [])
  if (stored.length > 0) await putStored(stored)
  if (kinds.has('rows') && !readAt.get()) await forgetOthers(wallet, rows)
  // The wallet has signed out meanwhile, maybe in another tab.
  if (me() !== wallet) await keepOnly(me())
}

function recordOf(query: Query, wallet: string, rows: InboxItem[]): StoredResponse | undefined {
  const { queryHash: hash, queryKey: key } = query
  const { data: whole, dataUpdatedAt: at } = query.state
  const kind = kindOf(key)!
  // This is the stored data itself.
  if (whole === undefined || (whole as Partial<Pages<unknown>>).storedAt || (kind === 'rows' && readAt.get()))
    return undefined
  if (kind === 'history' && !isInInbox(key, rows, wallet)) return undefined
  const data = worthKeeping(kind, whole)
  return data === undefined ? undefined : { wallet, kind, hash, key, data, at, size: sizeOf(data) }
}

/** What is no longer in the inbox was deleted, left or blocked, maybe on another device. */
const forgetOthers = async (wallet: string, rows: InboxItem[]) =>
  changeStored(wallet, 'history', (one) => (isInInbox(one.key, rows, wallet) ? one : undefined))

/** Call this before the first query. */
export function keepWhatIsRead(): void {
  const { queries, ...others } = cache.getDefaultOptions()
  cache.setDefaultOptions({ ...others, queries: { ...queries, persister: askAndShow } })
  cache.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return
    if (!event.action.manual && kindOf(event.query.queryKey) === 'rows') readAt.set(undefined)
    keepSoon(event.query)
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void keepNow()
  })
  onAccountChange((address) => {
    readAt.set(undefined)
    changed.clear()
    void keepOnly(address ?? undefined)
  })
  void keepOnly(me())
}
