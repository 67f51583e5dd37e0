import type { IncomingHook } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { Bot, Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { cache, client, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { DeleteDialog } from '../service/DeleteDialog.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { shortDate } from '../state/time.ts'
import { BecomeBot } from './BecomeBot.tsx'
import { NewHook } from './NewHook.tsx'

const hooks = query('listIncomingHooks')
const readAgain = () => void cache.invalidateQueries({ queryKey: hooks.queryKey })

/** Shows whether the wallet is a bot, and the addresses at which programs post for it. */
export function BotsCard() {
  const { data, error } = useQuery(hooks)
  const bot = useQuery(query('getBot'))
  const [isOpen, setOpen] = useState<'hook' | 'bot'>()
  const [deleting, setDeleting] = useState<IncomingHook>()
  const close = () => setOpen(undefined)
  const problem = error ?? bot.error
  return (
    <Card title="Bots and hooks">
      <p className="text-sm text-pretty text-muted">
        A URL that lets a program post in one chat as you.{' '}
        <a href="/docs/bots#incoming-hooks" className="underline">
          How programs use hooks
        </a>
      </p>
      {data && data.length > 0 && (
        <ul className="grid gap-3" aria-label="Hooks">
          {data.map((one) => (
            <HookRow key={one.id} of={one} onDelete={() => setDeleting(one)} />
          ))}
        </ul>
      )}
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem && describeError(problem)}
      </p>
      <Button className="justify-self-start" onClick={() => setOpen('hook')}>
        <Plus className="size-4" aria-hidden="true" /> Make a hook
      </Button>
      {bot.data?.is_bot ? (
        <p className="flex gap-3 text-sm text-pretty">
          <Bot className="size-5 shrink-0 text-muted" aria-hidden="true" />
          This wallet is a bot. Everyone sees that, and it can’t start conversations.
        </p>
      ) : (
        <div className="grid gap-3 border-t border-line pt-3">
          <p className="text-sm text-pretty text-muted">Is this wallet run by a program? Mark it as a bot.</p>
          <Button className="justify-self-start" onClick={() => setOpen('bot')}>
            <Bot className="size-4" aria-hidden="true" /> This wallet is a bot
          </Button>
        </div>
      )}
      {isOpen === 'hook' && <NewHook onMade={readAgain} onClose={close} />}
      {isOpen === 'bot' && <BecomeBot onClose={close} />}
      {deleting && <DeleteHook of={deleting} onClose={() => setDeleting(undefined)} />}
    </Card>
  )
}

const HookRow = ({
  of: { label, nftaddr, created_at, last_used },
  onDelete,
}: {
  of: IncomingHook
  onDelete: () => void
}) => (
  <li className="flex items-start gap-3">
    <Webhook className="mt-0.5 size-5 shrink-0 text-muted" aria-hidden="true" />
    <div className="grid min-w-0 flex-1 gap-0.5">
      <span className="font-medium wrap-anywhere" dir="auto">
        {label}
      </span>
      <span className="text-sm wrap-anywhere">
        Posts in <bdi>{nftaddr}</bdi>
      </span>
      <span className="text-sm text-muted">
        Made {shortDate(created_at)}, {last_used ? `last used ${shortDate(last_used)}` : 'never used'}
      </span>
    </div>
    <Button variant="danger" aria-label={`Delete the hook ${label}`} onClick={onDelete}>
      Delete
    </Button>
  </li>
)

const DeleteHook = ({ of: { id, label }, onClose }: { of: IncomingHook; onClose: () => void }) => (
  <DeleteDialog
    title="Delete this hook?"
    remove={() => client.deleteIncomingHook({ hook: id })}
    notice="Hook deleted"
    onSettled={readAgain}
    onClose={onClose}
  >
    Programs using “{label}” stop working within seconds. This can’t be undone.
  </DeleteDialog>
)
