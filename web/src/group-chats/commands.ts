import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../service/api.ts'
import { shortAddress } from '../ui/address.ts'
import type { Completing } from '../ui/Completions.tsx'

/** The commands of the bots of a chat, asked for when somebody types a slash. */
export function useCommands(nftaddr: string): Completing {
  const [isNeeded, setNeeded] = useState(false)
  const { data = [] } = useQuery({ ...query('listCommands', { nftaddr }), enabled: isNeeded })
  return {
    choices: data.map(({ word, description, name, walletaddr }) => ({
      word,
      description,
      by: name || shortAddress(walletaddr),
    })),
    onNeeded: () => setNeeded(true),
  }
}
