import { lazy, Suspense, useEffect } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useMuting } from '../contacts/muting.ts'
import { InboxPane } from '../inbox/InboxPane.tsx'
import { useAttention } from '../inbox/attention.ts'
import { loadKeyring } from '../keys/keyring.ts'
import { useShownNumber } from '../keys/shown-number.ts'
import { useReporting } from '../moderation/reporting.ts'
import { SanctionBanner } from '../moderation/SanctionBanner.tsx'
import { useShownProfile } from '../names/card.ts'
import { resume } from '../thread/outbox.ts'
import { keepPush } from '../service/push.ts'
import { useAskedToSignIn } from '../service/recent-sign-in.ts'
import { useMe } from '../service/session.ts'
import { useSkipClosedDialogs } from '../ui/back.ts'
import { classes } from '../ui/classes.ts'
import { Notice } from '../ui/Notice.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { useFocusOnArrival } from './arrival.ts'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { useLive } from './live.ts'
import { keepForOffline } from './offline.ts'
import { usePalette } from './palette-key.ts'
import { UpdateBanner } from './UpdateBanner.tsx'

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }))

const ProfileCard = lazy(async () => ({
  default: (await import('../profile/ProfileCard.tsx')).ProfileCard,
}))

const ContactActions = lazy(async () => ({
  default: (await import('../contacts/ContactActions.tsx')).ContactActions,
}))

const MuteDialog = lazy(async () => ({ default: (await import('../contacts/MuteDialog.tsx')).MuteDialog }))

const ReportDialog = lazy(async () => ({
  default: (await import('../moderation/ReportDialog.tsx')).ReportDialog,
}))

const SignInAgain = lazy(async () => ({ default: (await import('../keys/SignInAgain.tsx')).SignInAgain }))

const SafetyNumber = lazy(async () => ({
  default: (await import('../keys/SafetyNumber.tsx')).SafetyNumber,
}))

/** The inbox and the open page side by side; on small screens one of them. */
export function Shell() {
  const me = useMe()
  const { pathname } = useLocation()
  const atInbox = pathname === '/'
  const [palette, setPalette] = usePalette()
  useLive(me)
  useSkipClosedDialogs()
  useFocusOnArrival(atInbox ? 'chats' : 'main')
  useAttention()
  useEffect(() => {
    // After a failure it is repeated when the event stream opens.
    loadKeyring()
      .catch(() => {})
      .finally(() => resume(true))
  }, [me])
  useEffect(keepForOffline, [])
  useEffect(() => keepPush(me), [me])
  return (
    <div className="mx-auto flex h-full flex-col bg-surface">
      <a
        href="#main"
        className="sr-only z-50 rounded-lg bg-raised p-3 focus:not-sr-only focus:absolute focus:m-2"
      >
        Skip to the conversation
      </a>
      <ConnectionBanner />
      <UpdateBanner />
      <SanctionBanner />
      <div className="grid min-h-0 flex-1 grid-cols-1 md:grid-cols-[22rem_minmax(0,1fr)] lg:grid-cols-[24rem_minmax(0,1fr)]">
        <nav
          aria-label="Conversations"
          className={classes('min-h-0 border-line bg-surface md:border-e', !atInbox && 'hidden md:block')}
        >
          <InboxPane />
        </nav>
        <main
          id="main"
          tabIndex={-1}
          className={classes('min-h-0 min-w-0 bg-page outline-none', atInbox && 'max-md:sr-only')}
        >
          <Suspense
            fallback={
              <div className="grid h-full place-items-center">
                <Spinner />
              </div>
            }
          >
            <Outlet key={pathname} />
          </Suspense>
        </main>
      </div>
      <ShownProfile />
      <ShownNumber />
      <Muting />
      <Reporting />
      <SigningInAgain />
      {palette && (
        <Suspense>
          <Palette onClose={() => setPalette(false)} />
        </Suspense>
      )}
      <Notice />
    </div>
  )
}

function ShownProfile() {
  const shown = useShownProfile()
  return (
    <Suspense>{shown && <ProfileCard key={shown.address} {...shown} actions={ContactActions} />}</Suspense>
  )
}

function ShownNumber() {
  const peer = useShownNumber()
  return <Suspense>{peer && <SafetyNumber key={peer} peer={peer} />}</Suspense>
}

function Muting() {
  const what = useMuting()
  return <Suspense>{what && <MuteDialog what={what} />}</Suspense>
}

function Reporting() {
  const what = useReporting()
  return <Suspense>{what && <ReportDialog what={what} />}</Suspense>
}

function SigningInAgain() {
  const isAsked = useAskedToSignIn() !== undefined
  return <Suspense>{isAsked && <SignInAgain />}</Suspense>
}
