import { type Client, createClient } from '@parley/sdk'
import { QueryClient, queryOptions } from '@tanstack/react-query'
import { currentToken, endSession, onAccountChange } from './session.ts'
import { withVendorNames } from './vendor.ts'

/** Every request carries the token of the wallet that is signed in; a refused token ends the session. */
const authorised: typeof fetch = async (input, init) => {
  const token = currentToken()
  const headers = new Headers(init?.headers)
  if (token) headers.set('authorization', `Bearer ${token}`)
  const response = await fetch(input, { ...init, headers })
  if (response.status === 401 && token) endSession(token)
  return response
}

export const client: Client = createClient({ baseUrl: '', fetch: withVendorNames(authorised) })

export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      // Events keep what is shown fresh; reading again is for what they do not cover.
      staleTime: 60_000,
      networkMode: 'always',
      retry: (failures, error) => failures < 3 && !isRefusal(error),
    },
    mutations: { networkMode: 'always' },
  },
})

// What one wallet has read is no business of the next.
onAccountChange(() => cache.clear())

type Result<Name extends keyof Client> = Awaited<ReturnType<Client[Name]>>

/** A cached read of an endpoint. The key starts with the endpoint's name, so live.ts can refresh by name. */
export const query = <Name extends keyof Client>(name: Name, ...input: Parameters<Client[Name]>) =>
  queryOptions({
    queryKey: [name, ...input],
    queryFn: () => (client[name] as (...input: unknown[]) => Promise<Result<Name>>)(...input),
  })

/** Whether the service understood and said no, so that asking again the same way is pointless. */
export const isRefusal = (error: unknown): boolean => {
  const status = (error as { status?: unknown }).status
  return typeof status === 'number' && status < 500 && status !== 429
}

/** What went wrong, for people. */
export function describeError(error: unknown): string {
  if (error instanceof TypeError) return 'The service cannot be reached. Check your connection.'
  if (error instanceof Error) return error.message
  return 'Something went wrong.'
}
