import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { shortTime } from '../state/time.ts'
import { askToAnnounce, people, useAnnouncing, whyNotNow } from './announcing.ts'

/** Shows the owner and the moderators of a chat how many agreed to announcements, and what became of the last one. */
export function AnnouncementsCard({ nftaddr }: { nftaddr: string }) {
  const { data } = useAnnouncing(nftaddr)
  if (!data) return null
  const { agreed, last } = data
  return (
    <Card title="Announcements">
      <div className="grid grid-cols-1 gap-3">
        <p className="text-sm text-pretty text-muted">
          {`An announcement is a post that notifies those who agreed to that: now ${people(agreed)}. Small numbers are hidden, and others are rounded down.`}
        </p>
        {last && (
          <p role="status" className="text-sm text-pretty">
            {wordsOf(last)}
          </p>
        )}
        <Button
          variant="primary"
          className="justify-self-start"
          whyDisabled={whyNotNow(data) ?? false}
          onClick={() => askToAnnounce({ nftaddr })}
        >
          Announce…
        </Button>
      </div>
    </Card>
  )
}

type Last = NonNullable<NonNullable<ReturnType<typeof useAnnouncing>['data']>['last']>

/** Says what became of an announcement. */
function wordsOf({
  announced_at,
  done,
  stopped,
  agreed,
  reached,
  no_channel,
  gone,
  muted,
  read,
}: Last): string {
  const state = stopped ? 'ended early' : done ? 'is delivered' : 'is being delivered'
  const left = [
    [no_channel, 'have no push, Telegram or mail'],
    [gone, 'have left or may no longer read the chat'],
    [muted, 'have muted the chat, blocked its author or have quiet hours'],
    [read, 'had read it already'],
  ] as const
  const others = left.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  return [
    `The announcement of ${shortTime(announced_at)} ${state}: ${people(reached)} of ${people(agreed)} were notified.`,
    ...(others.length > 0 ? [`Of the others, about ${others.join(', ')}.`] : []),
  ].join(' ')
}
