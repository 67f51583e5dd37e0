import type { Tweet } from '@parley/sdk'
import { Card } from '../ui/Card.tsx'
import { SafeText } from '../messages/SafeText.tsx'
import { relativeTime } from '../state/time.ts'

/** Shows the community's latest posts on X as text only, so that nothing is loaded from there. */
export function Tweets({ tweets }: { tweets: Tweet[] }) {
  if (tweets.length === 0) return null
  return (
    <Card title="On X">
      <ul className="grid gap-4">
        {tweets.slice(0, 5).map((tweet) => (
          <li key={tweet.id}>
            <p className="text-sm text-muted">
              @{tweet.user.username} · {relativeTime(tweet.created_at)}
            </p>
            <p className="whitespace-pre-wrap wrap-anywhere">
              <SafeText text={tweet.text} isPlain />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
