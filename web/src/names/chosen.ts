// These are the wallets that the reader has named or blocked.

import type { Contact } from '@parley/sdk'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../service/api.ts'
import { onAccountChange } from '../service/session.ts'

const portion = 1000
/** Contacts of every kind are read together when there are fewer than these. */
const few = 500

/** The wallet has more contacts than are read together. */
let hasMany = false
onAccountChange(() => (hasMany = false))

const isChosen = ({ alias, state }: Contact) => alias !== undefined || state === 'blocked'

async function readChosen(): Promise<Contact[]> {
  if (!hasMany) {
    const all = await client.listContacts({ query: { limit: few } })
    if (all.length < few) return all.filter(isChosen)
    hasMany = true
  }
  const [named, blocked] = await Promise.all([readAll({ named: true }), readAll({ state: 'blocked' })])
  return [...named, ...blocked.filter(({ alias }) => alias === undefined)]
}

async function readAll(which: { named: true } | { state: 'blocked' }): Promise<Contact[]> {
  const found: Contact[] = []
  for (;;) {
    const after = found.at(-1)?.peer
    const page = await client.listContacts({ query: { ...which, limit: portion, ...(after && { after }) } })
    found.push(...page)
    if (page.length < portion) return found
  }
}

export const chosenQuery = queryOptions({
  queryKey: ['listContacts', 'chosen'],
  queryFn: readChosen,
  // An event says when they change.
  staleTime: Infinity,
  refetchOnWindowFocus: false,
})
