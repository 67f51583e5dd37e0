import { useMutation, useQuery } from '@tanstack/react-query'
import { Copy, ExternalLink } from 'lucide-react'
import { cache, client, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useServiceInfo } from '../service/info.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { copy } from '../state/notice.ts'
import { clock, shortTime } from '../state/time.ts'

/** The page polls in this interval, in milliseconds, whether the user has pressed “Start”. */
const lookEvery = 3_000

/** Offers notifications by Telegram, if the service has a bot. */
export function TelegramCard() {
  return useServiceInfo()?.telegram ? <Telegram /> : null
}

function Telegram() {
  const read = query('getTelegramLink')
  const make = useMutation({ mutationFn: () => client.createTelegramLink() })
  const { data: link, error } = useQuery({
    ...read,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) =>
      make.data && !state.data?.linked && Date.parse(make.data.expires_at) > Date.now() ? lookEvery : false,
  })
  const remove = useMutation({
    mutationFn: () => client.deleteTelegramLink(),
    onSuccess: () => {
      make.reset()
      cache.setQueryData(read.queryKey, { linked: false })
    },
    onSettled: () => cache.invalidateQueries({ queryKey: read.queryKey }),
  })
  const problem = make.error ?? remove.error ?? error
  return (
    <Card title="Telegram">
      <p className="text-sm text-pretty text-muted">
        Get alerts in Telegram. Telegram sees when you get a message and (if previews are on) from whom, never
        the text.
      </p>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem && describeError(problem)}
      </p>
      <div role="status" className="text-sm wrap-anywhere empty:hidden">
        {link?.linked && (
          <>
            Linked to <span className="font-medium">{link.name || 'a chat'}</span>, since{' '}
            {shortTime(link.since!)}.
          </>
        )}
      </div>
      {link?.linked && (
        <Button
          className="justify-self-start"
          variant="danger"
          busy={remove.isPending}
          onClick={() => remove.mutate()}
        >
          Unlink Telegram
        </Button>
      )}
      {link && !link.linked && make.data && <Way {...make.data} />}
      {link && !link.linked && (
        <Button className="justify-self-start" busy={make.isPending} onClick={() => make.mutate()}>
          {make.data ? 'Make another link' : 'Link Telegram'}
        </Button>
      )}
    </Card>
  )
}

/** Shows the link that opens the chat with the bot, on this device or another one. */
function Way({ url, expires_at: until }: { url: string; expires_at: string }) {
  return (
    <div className="grid grid-cols-1 gap-2">
      <p className="text-sm text-pretty">
        Open the chat in Telegram and press “Start”, until {clock(until)}. Keep the link to yourself: the
        first person to use it gets your notifications.
      </p>
      <a
        className="inline-flex min-h-11 items-center gap-2 justify-self-start rounded-xl bg-accent px-4 py-2 font-medium text-on-accent hover:bg-accent-strong"
        href={url}
        target="_blank"
        rel="noreferrer"
      >
        Open Telegram
        <ExternalLink className="size-4" aria-hidden="true" />
      </a>
      <div className="flex items-center gap-2">
        <code className="min-w-0 flex-1 text-sm wrap-anywhere text-muted">{url}</code>
        <IconButton label="Copy the link" onClick={() => void copy(url, 'Link copied')}>
          <Copy className="size-4" />
        </IconButton>
      </div>
    </div>
  )
}
