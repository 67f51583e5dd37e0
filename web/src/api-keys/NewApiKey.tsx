import type { Scope } from '@parley/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CheckField } from '../moderation/CheckField.tsx'
import { client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { Button } from '../ui/Button.tsx'
import { Choices } from '../ui/Choices.tsx'
import { Modal } from '../ui/Modal.tsx'
import { ShownOnce } from '../ui/ShownOnce.tsx'
import { TextField } from '../ui/TextField.tsx'
import { allScopes, scopeOf, scopeWords } from './words.ts'

const day = 86_400_000
const ends = { month: 30 * day, quarter: 90 * day, year: 365 * day, never: undefined }
type End = keyof typeof ends
const endLabels = [
  { value: 'month', label: '30 days' },
  { value: 'quarter', label: '90 days' },
  { value: 'year', label: '1 year' },
  { value: 'never', label: 'Until I delete it' },
] satisfies { value: End; label: string }[]

interface Asked {
  label: string
  scopes: string[]
  end: End
}

async function make({ label, scopes, end }: Asked): Promise<string> {
  const ms = ends[end]
  const expires = ms === undefined ? {} : { expires_at: new Date(Date.now() + ms).toISOString() }
  const [made] = await client.createApiKey({ body: { label: label.trim(), scopes, ...expires } })
  return made!.key!
}

/** Asks what a new key is for and what it may do, and shows it once. */
export function NewApiKey({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const making = useMutation({ mutationFn: make, onSuccess: onMade })
  return making.data === undefined ? (
    <Modal title="Make a key" onClose={onClose}>
      <KeyForm busy={making.isPending} error={making.error} onMake={(asked) => making.mutate(asked)} />
    </Modal>
  ) : (
    <ShownOnce
      title="Copy your key"
      what="key"
      secret={making.data}
      text="You won’t see it again. Keep it secret: whoever has it can do what you have chosen."
      onClose={onClose}
    />
  )
}

interface FormProps {
  busy: boolean
  error: Error | null
  onMake: (asked: Asked) => void
}

function KeyForm({ busy, error, onMake }: FormProps) {
  const [label, setLabel] = useState('')
  const [end, setEnd] = useState<End>('quarter')
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set())
  const [only, setOnly] = useState<Partial<Record<Scope, string>>>({})
  const choose = (scope: Scope, on: boolean) =>
    setChosen(new Set(allScopes.filter((one) => (one === scope ? on : chosen.has(one)))))
  return (
    <form
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onMake({ label, end, scopes: [...chosen].map((scope) => scopeOf(scope, only[scope])) })
      }}
    >
      <TextField
        label="What it is for"
        placeholder="Alerts of my server"
        autoComplete="off"
        maxLength={100}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
      />
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">What it may do</legend>
        {allScopes.map((scope) => {
          const { label: name, hint, only: narrow } = scopeWords[scope]
          return (
            <div key={scope}>
              <CheckField
                label={name}
                hint={hint}
                checked={chosen.has(scope)}
                onChange={(on) => choose(scope, on)}
              />
              {narrow && chosen.has(scope) && (
                <TextField
                  className="ms-7.5 mb-2"
                  label={narrow.label}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  value={only[scope] ?? ''}
                  onChange={(event) => setOnly({ ...only, [scope]: event.target.value })}
                />
              )}
            </div>
          )
        })}
      </fieldset>
      <Choices legend="Valid for" choices={endLabels} chosen={end} onChange={setEnd} />
      <Problem error={error} />
      <Button
        type="submit"
        variant="primary"
        className="justify-self-end"
        busy={busy}
        whyDisabled={
          label.trim() === ''
            ? 'Enter what the key is for.'
            : chosen.size === 0 && 'Choose at least one thing that the key may do.'
        }
      >
        Make the key
      </Button>
    </form>
  )
}
