import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'

export function UnlockWithCode({ busy, onUnlock }: { busy: boolean; onUnlock: (code: string) => void }) {
  const [code, setCode] = useState('')
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onUnlock(code)
      }}
    >
      <TextField
        label="Recovery code"
        autoComplete="off"
        spellCheck={false}
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" variant="primary" busy={busy} disabled={!code.trim()}>
        Unlock
      </Button>
    </form>
  )
}
