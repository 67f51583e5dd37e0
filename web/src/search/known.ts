import { useMemo } from 'react'
import { seedOf, titleOf, useInbox } from '../inbox/rows.ts'
import { useAliases } from '../names/aliases.ts'
import { useMe } from '../service/session.ts'
import type { Known, KnownName } from './filters.ts'

/** Returns the people and places that filters can name. */
export function useKnown(): Known {
  const me = useMe()
  const { data: rows } = useInbox()
  const aliases = useAliases()
  return useMemo(() => {
    const known = new Map<string, KnownName>([[me, { label: 'me', address: me, isChat: false }]])
    for (const row of rows ?? []) {
      const address = seedOf(row, me)
      if (address !== me)
        known.set(address, { label: titleOf(row, me), address, isChat: row.context_type !== 'dm' })
    }
    for (const [address, label] of aliases) known.set(address, { label, address, isChat: false })
    return [...known.values()]
  }, [me, rows, aliases])
}
