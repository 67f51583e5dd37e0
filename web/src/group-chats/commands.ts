import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { query } from '../service/api.ts'
import { shortAddress } from '../seal/address.ts'
import type { Completions } from '../messages/completion.tsx'

/**
 * Completes a slash at the beginning with the commands of a chat's bots, which are requested when somebody types one.
 */
export function useCommands(nftaddr: string): Completions {
  const [isNeeded, setNeeded] = useState(false)
  const { data } = useQuery({ ...query('listCommands', { nftaddr }), enabled: isNeeded })
  return useMemo(
    () => ({
      after: /^\/([a-z0-9_-]{0,32})$/,
      label: 'Commands',
      onNeeded: () => setNeeded(true),
      find: (begun) =>
        (data ?? [])
          .filter(({ word }) => word.startsWith(begun))
          .map(({ word, description, name, walletaddr }) => ({
            insert: `/${word}`,
            label: `/${word}`,
            hint: [description, name || shortAddress(walletaddr)].filter(Boolean).join(' · '),
          })),
    }),
    [data],
  )
}
