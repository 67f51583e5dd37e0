import { useState } from 'react'
import { showNotice } from '../state/notice.ts'
import { EditField } from '../ui/EditField.tsx'
import { useSetContact } from './change.ts'

interface Props {
  peer: string
  /** This is the reader's present name for the wallet; it is empty without one. */
  alias: string
  onDone: () => void
}

/** Changes the reader's own name for a wallet. */
export function AliasField({ peer, alias, onDone }: Props) {
  const set = useSetContact(peer)
  const typed = useState<string>()
  const save = async (chosen: string) => {
    if (!(await set({ alias: chosen || null }))) return ''
    showNotice(chosen ? `Nickname saved: ${chosen}` : 'Nickname removed')
    onDone()
    return undefined
  }
  return (
    <EditField
      label="Nickname"
      hint="Only you see this."
      autoComplete="off"
      takesFocus
      current={alias}
      typed={typed}
      already="That’s the nickname already."
      save={save}
    />
  )
}
