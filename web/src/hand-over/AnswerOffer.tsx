import { useQuery } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { Link } from 'react-router'
import { query } from '../service/api.ts'
import { useServiceInfo } from '../service/info.ts'
import { usePush } from '../service/push.ts'
import { createStore, useStore } from '../state/store.ts'
import { Button } from '../ui/Button.tsx'
import { HandOverButton } from './HandOverButton.tsx'

const entryOf = (address: string) => `parley.answer-offer.${address}`
/** Counts the refusals here. */
const refusals = createStore(0)

/**
 * After the first message in a browser that cannot notify its reader of the answer: the ways in which they are notified
 * all the same.
 */
export function AnswerOffer({ me }: { me: string }) {
  const push = usePush(me)
  useStore(refusals)
  const cannot = push === 'unsupported' || push === 'needs-install'
  if (!cannot || localStorage.getItem(entryOf(me)) !== null) return null
  return <Offered me={me} />
}

const linkLooks =
  'inline-flex min-h-11 items-center rounded-xl border border-line bg-raised px-4 py-2 font-medium hover:bg-hover'

function Offered({ me }: { me: string }) {
  const info = useServiceInfo()
  const { data: devices } = useQuery({ ...query('listPushSubscriptions'), enabled: info?.push === true })
  const { data: telegram } = useQuery({ ...query('getTelegramLink'), enabled: info?.telegram === true })
  // A service that notifies nobody has nothing to offer.
  const isKnown = info && (info.push || info.telegram || info.mail) && (!info.push || devices)
  const isNotified = (devices?.length ?? 0) > 0 || telegram?.linked
  if (!isKnown || isNotified) return null
  return (
    <section
      aria-labelledby="answer-offer"
      className="mx-3 mb-2 grid gap-2 rounded-2xl border border-line bg-surface p-3.5"
    >
      <h3 id="answer-offer" className="flex items-center gap-2 font-semibold">
        <BellRing className="size-4 shrink-0 text-accent" aria-hidden="true" /> Know when they answer
      </h3>
      <p className="text-sm text-pretty text-muted">
        This browser can’t notify you.{' '}
        {info.push ? 'Another browser of yours can' : 'You can read on elsewhere'}, without a wallet: you
        confirm it here.
      </p>
      <div className="flex flex-wrap gap-2 pt-1">
        {info.push && <HandOverButton />}
        {info.telegram && (
          <Link to="/settings/notifications#telegram" className={linkLooks}>
            Use Telegram
          </Link>
        )}
        {info.mail && (
          <Link to="/settings/notifications#mail" className={linkLooks}>
            Use mail
          </Link>
        )}
        <Button
          variant="quiet"
          onClick={() => {
            localStorage.setItem(entryOf(me), 'no')
            refusals.set(refusals.get() + 1)
          }}
        >
          Not now
        </Button>
      </div>
    </section>
  )
}
