import type { ApiKey } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { cache, client, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { DeleteDialog } from '../service/DeleteDialog.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { useMinute } from '../state/minute.ts'
import { shortDate } from '../state/time.ts'
import { NewApiKey } from './NewApiKey.tsx'
import { wordsOf } from './scope-labels.ts'

const read = query('listApiKeys')
const readAgain = () => void cache.invalidateQueries({ queryKey: read.queryKey })

/** Lists the keys with which programs act for the wallet; here they are made and deleted. */
export function ApiKeysCard() {
  const { data, error } = useQuery(read)
  const [isMaking, setMaking] = useState(false)
  const [deleting, setDeleting] = useState<ApiKey>()
  return (
    <Card title="API keys">
      <p className="text-sm text-pretty text-muted">
        Let programs act for you, with limits you set.{' '}
        <a href="/docs/bots" className="underline">
          How programs use keys
        </a>
      </p>
      {data && data.length > 0 && (
        <ul className="grid gap-3">
          {data.map((one) => (
            <KeyRow key={one.id} of={one} onDelete={() => setDeleting(one)} />
          ))}
        </ul>
      )}
      <p role="alert" className="text-sm text-danger empty:hidden">
        {error && describeError(error)}
      </p>
      <Button className="justify-self-start" onClick={() => setMaking(true)}>
        <Plus className="size-4" aria-hidden="true" /> Make a key
      </Button>
      {isMaking && <NewApiKey onMade={readAgain} onClose={() => setMaking(false)} />}
      {deleting && <DeleteKey of={deleting} onClose={() => setDeleting(undefined)} />}
    </Card>
  )
}

function KeyRow({
  of: { label, scopes, created_at, last_used, expires_at },
  onDelete,
}: {
  of: ApiKey
  onDelete: () => void
}) {
  return (
    <li className="flex items-start gap-3">
      <KeyRound className="mt-0.5 size-5 shrink-0 text-muted" aria-hidden="true" />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <span className="font-medium wrap-anywhere" dir="auto">
          {label}
        </span>
        <span className="text-sm wrap-anywhere">{scopes.map(wordsOf).join(', ')}</span>
        <span className="text-sm text-muted">
          Made {shortDate(created_at)}, {last_used ? `last used ${shortDate(last_used)}` : 'never used'}
          {expires_at && <Expiry at={expires_at} />}
        </span>
      </div>
      <Button variant="danger" aria-label={`Delete the key ${label}`} onClick={onDelete}>
        Delete
      </Button>
    </li>
  )
}

const Expiry = ({ at }: { at: string }) =>
  Date.parse(at) <= useMinute() ? (
    <span className="text-warn">, expired {shortDate(at)}</span>
  ) : (
    <>, until {shortDate(at)}</>
  )

const DeleteKey = ({ of: { id, label }, onClose }: { of: ApiKey; onClose: () => void }) => (
  <DeleteDialog
    title="Delete this key?"
    remove={() => client.deleteApiKey({ api_key: id })}
    notice="Key deleted"
    onSettled={readAgain}
    onClose={onClose}
  >
    Programs using “{label}” stop working within seconds. This can’t be undone.
  </DeleteDialog>
)
