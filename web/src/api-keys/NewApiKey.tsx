import { useState } from 'react'
import { CheckField } from '../moderation/CheckField.tsx'
import { client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { day } from '../state/time.ts'
import { Button } from '../ui/Button.tsx'
import { Choices } from '../ui/Choices.tsx'
import { MadeOnce, type Making } from '../ui/MadeOnce.tsx'
import { TextField } from '../ui/TextField.tsx'
import { allScopes, scopeOf, scopeWords, type WideScope } from './scope-labels.ts'

const ends = { month: 30 * day, quarter: 90 * day, year: 365 * day, never: undefined }
type End = keyof typeof ends
const endLabels = [
  { value: 'month', label: '30 days' },
  { value: 'quarter', label: '90 days' },
  { value: 'year', label: '1 year' },
  { value: 'never', label: 'Until I delete it' },
] satisfies { value: End; label: string }[]

interface KeyRequest {
  label: string
  scopes: string[]
  end: End
}

async function make({ label, scopes, end }: KeyRequest): Promise<string> {
  const ms = ends[end]
  const expires = ms === undefined ? {} : { expires_at: new Date(Date.now() + ms).toISOString() }
  const [made] = await client.createApiKey({ body: { label: label.trim(), scopes, ...expires } })
  return made!.key!
}

/** Lets the user choose what a new key is for and what it may do, and shows the key once. */
export const NewApiKey = ({ onMade, onClose }: { onMade: () => void; onClose: () => void }) => (
  <MadeOnce
    title="Make a key"
    make={make}
    show={(secret) => ({
      title: 'Copy your key',
      what: 'key',
      secret,
      text: 'You won’t see it again. Keep it secret: anyone who has it can use these permissions.',
    })}
    onMade={onMade}
    onClose={onClose}
  >
    {(form) => <KeyForm {...form} />}
  </MadeOnce>
)

function KeyForm({ busy, error, onMake }: Making<KeyRequest>) {
  const [label, setLabel] = useState('')
  const [end, setEnd] = useState<End>('quarter')
  const [chosen, setChosen] = useState<ReadonlySet<WideScope>>(new Set())
  const [only, setOnly] = useState<Partial<Record<WideScope, string>>>({})
  const choose = (scope: WideScope, on: boolean) =>
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
        label="Name"
        placeholder="Alerts of my server"
        autoComplete="off"
        maxLength={100}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
      />
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">Permissions</legend>
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
      <Choices legend="Expires" choices={endLabels} chosen={end} onChange={setEnd} />
      <Problem error={error} />
      <Button
        type="submit"
        variant="primary"
        className="justify-self-end"
        busy={busy}
        whyDisabled={
          label.trim() === '' ? 'Enter a name.' : chosen.size === 0 && 'Choose at least one permission.'
        }
      >
        Make the key
      </Button>
    </form>
  )
}
