import { Gavel } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { shortTime } from '../ui/time.ts'
import { sanctionOf, useNotices } from './notices.ts'

const AppealDialog = lazy(async () => ({ default: (await import('./AppealDialog.tsx')).AppealDialog }))

/** Says what an operator forbids the wallet, until when and why, and how to have that looked at again. */
export function SanctionBanner() {
  const { data = [] } = useNotices()
  const [isAppealing, setIsAppealing] = useState(false)
  const notice = sanctionOf(data)
  if (!notice) return null
  const until = notice.until ? `until ${shortTime(notice.until)}` : 'without an end'
  return (
    <>
      <Banner
        tone="danger"
        icon={<Gavel className="size-4 shrink-0" aria-hidden="true" />}
        action={<Button onClick={() => setIsAppealing(true)}>Appeal</Button>}
      >
        <strong>
          {notice.action === 'ban' ? 'Your wallet is banned here' : 'Your wallet may read here and not write'}
          , {until}.
        </strong>{' '}
        {notice.reason}
      </Banner>
      <Suspense>{isAppealing && <AppealDialog onClose={() => setIsAppealing(false)} />}</Suspense>
    </>
  )
}
