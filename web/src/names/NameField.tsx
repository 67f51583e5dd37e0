import { useState } from 'react'
import { cache, client, describeError } from '../service/api.ts'
import { Button } from '../ui/Button.tsx'
import { hideNotice, showNotice } from '../ui/notice.ts'
import { TextField } from '../ui/TextField.tsx'
import { useProfile } from './profile.ts'

/** Shows the name of a wallet, and a way to change it. */
export function NameField({ address }: { address: string }) {
  const { name } = useProfile(address)
  const [typed, setTyped] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const value = typed ?? name
  const save = async () => {
    setBusy(true)
    hideNotice()
    try {
      const chosen = value.trim()
      await (chosen ? client.setName({ body: { address, name: chosen } }) : client.deleteName())
      await cache.invalidateQueries({ queryKey: ['getName'] })
      setTyped(undefined)
      showNotice(chosen ? 'Name saved' : 'Name removed')
    } catch (error) {
      setProblem(describeError(error))
    }
    setBusy(false)
  }
  return (
    <form
      className="flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        className="flex-1"
        label="Name"
        placeholder="How others see you"
        maxLength={64}
        autoComplete="nickname"
        value={value}
        error={problem}
        onChange={(event) => {
          setTyped(event.target.value)
          setProblem(undefined)
        }}
      />
      <Button
        type="submit"
        busy={busy}
        whyDisabled={value.trim() === name && (name ? 'This is your name already.' : 'Enter a name.')}
        // Beside the field, whose label is above it.
        className="mt-6.5"
      >
        {name && !value.trim() ? 'Remove' : 'Save'}
      </Button>
    </form>
  )
}
