import { type Client, createClient } from '@parley/sdk'
import { maybeTemporary } from '@parley/sdk/retry.ts'
import { QueryClient, queryOptions } from '@tanstack/react-query'
import { currentToken, endSession, onAccountChange } from './session.ts'

/** Every request carries the token of the wallet that is signed in; a refused token ends the session. */
const authorised: typeof fetch = async (input, init) => {
  const token = currentToken()
  const headers = new Headers(init?.headers)
  if (token) headers.set('authorization', `Bearer ${token}`)
  const response = await fetch(input, { ...init, headers })
  if (response.status === 401 && token) endSession(token)
  return response
}

/** Where the service is, and the names of its encryption fields, which it writes into the page. */
export const service = {
  baseUrl: '',
  encryptionVendor: document.querySelector<HTMLMetaElement>('meta[name=encryption-vendor]')?.content ?? 'x',
  // Queries and the outbox decide for themselves what is tried again.
  retry: false,
} as const

export const client: Client = createClient({ ...service, fetch: authorised })

export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      // Events keep what is shown up to date. What they do not cover is read again after a minute.
      staleTime: 60_000,
      networkMode: 'always',
      retry: (failures, error) => failures < 3 && maybeTemporary(error),
    },
    mutations: { networkMode: 'always' },
  },
})

// A wallet does not see what another one has read.
onAccountChange(() => cache.clear())

type Result<Name extends keyof Client> = Awaited<ReturnType<Client[Name]>>

/** A cached read of an endpoint. The key starts with the endpoint's name, so that it can be invalidated by name. */
export const query = <Name extends keyof Client>(name: Name, ...input: Parameters<Client[Name]>) =>
  queryOptions({
    queryKey: [name, ...input],
    queryFn: () => (client[name] as (...input: unknown[]) => Promise<Result<Name>>)(...input),
  })

/** What went wrong, for people. */
export function describeError(error: unknown): string {
  if (error instanceof TypeError) return 'The service cannot be reached. Check your connection.'
  if (error instanceof Error) return error.message
  return 'Something went wrong.'
}
