import { type Client, createClient } from '@parley/sdk'
import { maybeTemporary } from '@parley/sdk/retry.ts'
import { type Query, QueryClient, queryOptions } from '@tanstack/react-query'
import { askToSignIn, isOfPerson, isOldSignIn } from './recent-sign-in.ts'
import { currentAccount, onAccountChange } from './session.ts'
import { addressOf } from './media-host.ts'
import { fetchAs } from './tokens.ts'

const listeners = new Set<() => void>()
/** Calls back when the service forbids the wallet something. */
export const onForbidden = (listener: () => void) => listeners.add(listener)

/** Sends requests as the signed-in wallet, if any. */
const authorised: typeof fetch = async (input, init) => {
  const account = currentAccount()
  const address = await addressOf(input, init?.method, mediaUrl)
  const isAsked = isOfPerson()
  // A deletion that starts when the page is left continues without it.
  const lasting = { ...init, keepalive: init?.method === 'DELETE' }
  const ask = () => (account ? fetchAs(account.address)(address, lasting) : fetch(address, lasting))
  let response = await ask()
  if (account && isAsked && (await isOldSignIn(response)) && (await askToSignIn())) response = await ask()
  if (response.status === 403) for (const listener of listeners) listener()
  return response
}

/** Returns the host that the operator has set for files; undefined for none. */
const mediaUrl = async (): Promise<string | undefined> =>
  (await cache.fetchQuery({ ...query('getServiceInfo'), staleTime: Infinity })).media_url

/** The service writes its origin and the vendor of its encryption fields into the page. */
export const service = {
  baseUrl: '',
  encryptionVendor: document.querySelector<HTMLMetaElement>('meta[name=encryption-vendor]')?.content ?? 'x',
  // Queries and the outbox retry calls themselves.
  retry: false,
} as const

export const client: Client = createClient({ ...service, fetch: authorised })

export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      // Events update what is shown. What they do not cover is read again after a minute.
      staleTime: 60_000,
      networkMode: 'always',
      // Without a connection the page says so at once, and reads again when there is one.
      retry: (failures, error) => failures < 3 && navigator.onLine && maybeTemporary(error),
      refetchOnReconnect: ({ state }) => state.status === 'error',
    },
    mutations: { networkMode: 'always' },
  },
})

// While a query is read for the first time, TanStack ignores that it is invalidated: the response counts as fresh, even
// when it is older than the event. It is read once more then.
const outdated = new WeakSet<Query>()
cache.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated') return
  const { action, query: changed } = event
  const { data, fetchStatus } = changed.state
  if (action.type === 'invalidate' && data === undefined && fetchStatus === 'fetching') outdated.add(changed)
  const isOutdated = action.type === 'success' && outdated.delete(changed)
  if (isOutdated) void cache.invalidateQueries({ queryKey: changed.queryKey, exact: true })
})

// A wallet must not see what another one has read.
onAccountChange(() => cache.clear())

type Result<Name extends keyof Client> = Awaited<ReturnType<Client[Name]>>

/**
 * Returns a cached read of an endpoint. Its key starts with the endpoint's name, so that all reads of an endpoint can
 * be invalidated.
 */
export const query = <Name extends keyof Client>(name: Name, ...input: Parameters<Client[Name]>) =>
  queryOptions({
    queryKey: [name, ...input],
    queryFn: () => (client[name] as (...input: unknown[]) => Promise<Result<Name>>)(...input),
  })

/** Queries the inbox without requests, which have a list of their own. */
export const inboxQuery = (address: string) => query('getInbox', { address, query: { view: 'main' } })
