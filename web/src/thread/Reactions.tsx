import { useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { useEmojiNames } from '../messages/emoji/names.ts'
import type { Message, Reaction } from '../messages/message.ts'
import { useName } from '../names/profile.ts'
import { shortAddress } from '../seal/address.ts'
import { Seal } from '../seal/Seal.tsx'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useMe } from '../service/session.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { Modal } from '../ui/Modal.tsx'
import { Spinner } from '../ui/Spinner.tsx'

/** Shows who reacted to a message: all, or those of one emoji where there are several. */
export function Reactions({ message, onClose }: { message: Message; onClose: () => void }) {
  const { id, reactors, reactions = [] } = message
  const [value, setValue] = useState('')
  const panel = useId()
  const hasTabs = reactions.length > 1
  return (
    <Modal title="Reactions" onClose={onClose}>
      {hasTabs && <Tabs {...{ reactions, value, panel }} onChange={setValue} />}
      <div
        id={panel}
        className="grid min-h-32 grid-cols-1 content-start gap-4"
        {...(hasTabs && { role: 'tabpanel', 'aria-labelledby': `${panel}-${value}` })}
      >
        {reactors ? (
          <Rows rows={reactors.filter(({ values }) => !value || values.includes(value))} />
        ) : (
          <Pages key={value} {...{ id, value }} />
        )}
      </div>
    </Modal>
  )
}

interface TabsProps {
  reactions: Reaction[]
  /** This is chosen; empty for all. */
  value: string
  panel: string
  onChange: (value: string) => void
}

function Tabs({ reactions, value, panel, onChange }: TabsProps) {
  const nameOf = useEmojiNames(reactions.map((one) => one.value))
  const values = ['', ...reactions.map((one) => one.value)]
  const move = (event: KeyboardEvent) => {
    const at = values.indexOf(value)
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: values.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const to = values[(next + values.length) % values.length]!
    onChange(to)
    document.getElementById(`${panel}-${to}`)?.focus()
  }
  return (
    <div
      role="tablist"
      aria-label="Kinds of reactions"
      className="-mx-5 flex gap-1 overflow-x-auto px-5 py-0.5 [scrollbar-width:none]"
      onKeyDown={move}
    >
      {values.map((one) => {
        const count = reactions.find((reaction) => reaction.value === one)?.count
        return (
          <button
            key={one}
            id={`${panel}-${one}`}
            type="button"
            role="tab"
            aria-selected={one === value}
            aria-controls={panel}
            aria-label={count === undefined ? undefined : `${nameOf(one)}, ${count.toLocaleString()}`}
            tabIndex={one === value ? 0 : -1}
            // The chosen one has the focus when the dialog opens.
            data-first={one === value || undefined}
            onClick={() => onChange(one)}
            className={classes(
              'flex min-h-9 shrink-0 items-center gap-1.5 rounded-full px-3 text-sm font-medium transition-colors pointer-coarse:min-h-11',
              one === value
                ? 'bg-selected text-accent-strong forced-colors:border-2'
                : 'text-muted hover:bg-hover',
            )}
          >
            {one === '' ? 'All' : <span className="text-base">{one}</span>}
            {count !== undefined && <span className="tabular-nums">{count.toLocaleString()}</span>}
          </button>
        )
      })}
    </div>
  )
}

/** One page of the service has this number of wallets. */
const pageSize = 25

function Pages({ id, value }: { id: number; value: string }) {
  const { data, error, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['listReactions', { id, value }],
    queryFn: ({ pageParam: after }) =>
      client.listReactions({ id, query: { ...(after && { after }), ...(value && { value }) } }),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)!.fromaddr),
    staleTime: 0,
  })
  return (
    <>
      {error && <p className="text-danger">{describeError(error)}</p>}
      {!data && !error && <Spinner label="Loading who reacted" />}
      {data && <Rows rows={data.pages.flat().map(({ fromaddr: wallet, values }) => ({ wallet, values }))} />}
      {hasNextPage && (
        <Button onClick={() => void fetchNextPage()}>{isFetching ? 'Loading …' : 'Show more'}</Button>
      )}
    </>
  )
}

const Rows = ({ rows }: { rows: NonNullable<Message['reactors']> }) => (
  <ul className="grid grid-cols-1 gap-2">
    {rows.map((one) => (
      <Reactor key={one.wallet} {...one} />
    ))}
  </ul>
)

function Reactor({ wallet, values }: { wallet: string; values: string[] }) {
  const me = useMe()
  const { name } = useName(wallet)
  const nameOf = useEmojiNames(values)
  return (
    <li className="flex items-center gap-3">
      <span className="size-8 shrink-0">
        <Seal seed={wallet} />
      </span>
      <span className="min-w-0 flex-1 truncate">{wallet === me ? 'You' : name || shortAddress(wallet)}</span>
      <span role="img" aria-label={values.map(nameOf).join(', ')} className="text-xl">
        {values.join(' ')}
      </span>
    </li>
  )
}
