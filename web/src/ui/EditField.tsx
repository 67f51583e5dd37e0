import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import { TextField } from './TextField.tsx'

interface Props extends Omit<ComponentProps<typeof TextField>, 'value' | 'error' | 'onChange' | 'className'> {
  /** This is the stored text; it is empty when there is none. */
  current: string
  /** This is the changed text, undefined while it is the stored one, and the function that replaces it. */
  typed: [text: string | undefined, write: (text: string | undefined) => void]
  /** This says why a text that equals the stored one cannot be saved. */
  already: string
  /** Stores a text, or removes it when empty. Returns the problem if there is one, empty when it is shown elsewhere. */
  save: (text: string) => Promise<string | undefined>
  /** When true, it takes the focus when it appears, because the button that had it is gone. */
  takesFocus?: boolean
}

/** Shows a short text that can be changed and removed, with its button. */
export function EditField({
  current,
  typed: [typed, write],
  already,
  save,
  takesFocus = false,
  ...field
}: Props) {
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (takesFocus) form.current!.querySelector('input')!.focus()
  }, [takesFocus])
  const value = typed ?? current
  const text = value.trim()
  const store = async () => {
    setBusy(true)
    const failure = await save(text)
    setBusy(false)
    setProblem(failure || undefined)
    if (failure === undefined) write(undefined)
  }
  return (
    <form
      ref={form}
      className="flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void store()
      }}
    >
      <TextField
        {...field}
        className="flex-1"
        maxLength={64}
        value={value}
        error={problem}
        onChange={(event) => {
          write(event.target.value)
          setProblem(undefined)
        }}
      />
      <Button
        type="submit"
        busy={busy}
        whyDisabled={text === current && (current ? already : 'Enter a name.')}
        // It is beside the field, whose label is above it.
        className="mt-6.5"
      >
        {current && !text ? 'Remove' : 'Save'}
      </Button>
    </form>
  )
}
