import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { showNotice } from '../ui/notice.ts'
import { TextField } from '../ui/TextField.tsx'
import { useSetContact } from './change.ts'

interface Props {
  peer: string
  /** What the reader calls it now; empty when nothing. */
  alias: string
  onDone: () => void
}

/** The reader's own name for a wallet. */
export function AliasField({ peer, alias, onDone }: Props) {
  const set = useSetContact(peer)
  const [typed, setTyped] = useState(alias)
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  // The button that had the focus is gone.
  useEffect(() => form.current!.querySelector('input')!.focus(), [])
  const chosen = typed.trim()
  const save = async () => {
    setBusy(true)
    const isDone = await set({ alias: chosen || null })
    setBusy(false)
    if (!isDone) return
    showNotice(chosen ? `You call it ${chosen} now` : 'Your name for it is removed')
    onDone()
  }
  return (
    <form
      ref={form}
      className="flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        className="flex-1"
        label="Your name for it"
        hint="Only you see it, in place of its own."
        maxLength={64}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button
        type="submit"
        busy={busy}
        whyDisabled={chosen === alias && (alias ? 'This is the name already.' : 'Enter a name.')}
        className="mt-6.5"
      >
        {alias && !chosen ? 'Remove' : 'Save'}
      </Button>
    </form>
  )
}
