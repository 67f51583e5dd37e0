// What was read last stays readable without a connection: answers of the service are kept on the device as they
// come, and shown at the next load until the service has answered anew. Only those of the wallet that is signed in
// now: what is kept of any other is deleted. TanStack's persisters are not used: they keep one copy of everything,
// with which two tabs overwrite each other, or only what is fetched, so that a deletion would not reach it.

import type { InboxItem } from '@parley/sdk'
import type { Query, QueryFunctionContext } from '@tanstack/react-query'
import { inboxQuery } from '../inbox/cache.ts'
import { cache } from '../service/api.ts'
import { currentAccount, onAccountChange } from '../service/session.ts'
import type { Pages } from '../thread/pages.ts'
import { createStore, useStore } from '../ui/store.ts'
import { changeKept, type Kept, keepOnly, putKept, readKept } from './store.ts'
import { isInInbox, isLastResort, kindOf, sizeOf, worthKeeping } from './worth.ts'

const readAt = createStore<number | undefined>(undefined)

/** When the service gave what is shown of the inbox; undefined where it has answered since the page was loaded. */
export const useReadAt = (): number | undefined => useStore(readAt)

const me = () => currentAccount()?.address

/** Shows what is kept while the service is asked, or cannot be. */
async function askAndShow(
  ask: (context: QueryFunctionContext) => unknown,
  context: QueryFunctionContext,
  query: Query,
): Promise<unknown> {
  const answer = Promise.resolve(ask(context))
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
    const kept = await readKept(wallet, kind, query.queryHash)
    if (!kept || isAnswered || query.state.data !== undefined || me() !== wallet) return
    if (kind === 'rows') readAt.set(kept.at)
    const data = kind === 'history' ? { ...(kept.data as object), kept: kept.at } : kept.data
    query.setData(data, { updatedAt: kept.at, manual: true })
  }
  const shown = show()
  return answer.catch(async (error: unknown) => {
    await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, patience))])
    throw error
  })
}

/** Milliseconds in which what is kept is there, before it is said that something cannot be read. */
const patience = 2000

/** Milliseconds in which changes are kept together. */
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
  // What may be kept is not known before.
  if (!wallet || !rows) return
  const queries = cache.getQueryCache()
  const kinds = new Set([...changed].map(({ queryKey }) => kindOf(queryKey)))
  // What has come into the inbox may be kept now.
  if (kinds.has('rows')) for (const query of queries.getAll()) if (kindOf(query.queryKey)) changed.add(query)
  const current = [...changed].filter((query) => queries.get(query.queryHash) === query)
  changed.clear()
  const kept = current.flatMap((query) => recordOf(query, wallet, rows) ?? [])
  if (kept.length > 0) await putKept(kept)
  if (kinds.has('rows') && !readAt.get()) await forgetOthers(wallet, rows)
  // Signed out meanwhile, maybe in another tab.
  if (me() !== wallet) await keepOnly(me())
}

function recordOf(query: Query, wallet: string, rows: InboxItem[]): Kept | undefined {
  const { queryHash: hash, queryKey: key } = query
  const { data: whole, dataUpdatedAt: at } = query.state
  const kind = kindOf(key)!
  // It is what was kept.
  if (whole === undefined || (whole as Partial<Pages<unknown>>).kept || (kind === 'rows' && readAt.get()))
    return undefined
  if (kind === 'history' && !isInInbox(key, rows, wallet)) return undefined
  const data = worthKeeping(kind, whole)
  return data === undefined ? undefined : { wallet, kind, hash, key, data, at, size: sizeOf(data) }
}

/** What is no longer in the inbox was deleted, left or blocked, maybe on another device. */
const forgetOthers = async (wallet: string, rows: InboxItem[]) =>
  changeKept(wallet, 'history', (one) => (isInInbox(one.key, rows, wallet) ? one : undefined))

/** To be called before the first query. */
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
