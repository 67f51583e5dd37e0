import { lazy, Suspense, useEffect } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useRetryAnsweredElsewhere } from '../contacts/allowance.ts'
import { useMuting } from '../contacts/muting.ts'
import { useHandOverShown } from '../hand-over/handing-over.ts'
import { InboxPane } from '../inbox/InboxPane.tsx'
import { useAttention } from '../inbox/attention.ts'
import { useInbox } from '../inbox/rows.ts'
import { InboxSearch } from '../search/InboxSearch.tsx'
import { loadKeys } from '../keys/state/load.ts'
import { useShownNumber } from '../keys/state/shown-number.ts'
import { useForbidden } from '../sanctions/notices.ts'
import { useReporting } from '../moderation/reporting.ts'
import { SanctionBanner } from '../sanctions/SanctionBanner.tsx'
import { useShownProfile } from '../names/shown-profile.ts'
import { resume } from '../thread/outbox.ts'
import { keepPush } from '../service/push.ts'
import { startLater, useLater } from '../service/later.ts'
import { useAskedToSignIn } from '../service/recent-sign-in.ts'
import { onAccountChange, useMe } from '../service/session.ts'
import { useSkipClosedDialogs } from '../state/back.ts'
import { classes } from '../ui/classes.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { ConnectionBanner, UpdateBanner } from './banners.tsx'
import { useLive } from './live.ts'
import { keepForOffline } from './offline.ts'
import { showPalette, togglePalette, usePaletteOpen } from '../state/palette.ts'
import { showShortcuts, useShortcuts } from './shortcuts.ts'

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }))

const Shortcuts = lazy(async () => ({ default: (await import('./Shortcuts.tsx')).Shortcuts }))

const ProfileCard = lazy(async () => ({
  default: (await import('../profile/ProfileCard.tsx')).ProfileCard,
}))

const ContactActions = lazy(async () => ({
  default: (await import('../contacts/ContactActions.tsx')).ContactActions,
}))

const FirstRequests = lazy(async () => ({
  default: (await import('../contacts/FirstRequests.tsx')).FirstRequests,
}))

const HandOverDialog = lazy(async () => ({
  default: (await import('../hand-over/HandOverDialog.tsx')).HandOverDialog,
}))

const MuteDialog = lazy(async () => ({ default: (await import('../contacts/MuteDialog.tsx')).MuteDialog }))

const ReportDialog = lazy(async () => ({
  default: (await import('../moderation/ReportDialog.tsx')).ReportDialog,
}))

const BannedPage = lazy(async () => ({ default: (await import('./BannedPage.tsx')).BannedPage }))

const SignInAgain = lazy(async () => ({
  default: (await import('../keys/view/SignInAgain.tsx')).SignInAgain,
}))

const SafetyNumber = lazy(async () => ({
  default: (await import('../keys/view/SafetyNumber.tsx')).SafetyNumber,
}))

/**
 * Shows the pages of a wallet that is signed in. A banned one has a single page, and starts again when the ban ends.
 */
export function Shell() {
  const forbidden = useForbidden()
  if (forbidden?.action !== 'ban') return <Rooms />
  return (
    <>
      <Suspense>
        <BannedPage forbidden={forbidden} />
      </Suspense>
      <ShownProfile />
      <SigningInAgain />
    </>
  )
}

/** Shows the inbox and the open page side by side; on small screens one of them. */
function Rooms() {
  const me = useMe()
  const { pathname } = useLocation()
  const atInbox = pathname === '/'
  usePaletteKey()
  const palette = usePaletteOpen()
  useLive(me)
  useSkipClosedDialogs()
  useFocusOnArrival(atInbox ? 'chats' : 'main')
  useAttention()
  useReadLater()
  useKeepPush(me)
  useRetryAnsweredElsewhere()
  useEffect(() => {
    // After a failure it is repeated when the event stream opens.
    loadKeys()
      .catch(() => {})
      .finally(() => resume(true))
  }, [me])
  useEffect(keepForOffline, [])
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
          <InboxPane requests={FirstRequests} search={InboxSearch} />
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
      <HandingOver />
      <Reporting />
      <SigningInAgain />
      <ShownShortcuts />
      {palette && (
        <Suspense>
          <Palette onClose={() => showPalette(false)} />
        </Suspense>
      )}
    </div>
  )
}

function ShownProfile() {
  const shown = useShownProfile()
  return (
    <Suspense>{shown && <ProfileCard key={shown.address} {...shown} actions={ContactActions} />}</Suspense>
  )
}

function ShownShortcuts() {
  const isShown = useShortcuts()
  return <Suspense>{isShown && <Shortcuts onClose={() => showShortcuts(false)} />}</Suspense>
}

function ShownNumber() {
  const peer = useShownNumber()
  return <Suspense>{peer && <SafetyNumber key={peer} peer={peer} />}</Suspense>
}

function HandingOver() {
  const isShown = useHandOverShown()
  return <Suspense>{isShown && <HandOverDialog />}</Suspense>
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

let hasArrived = false
onAccountChange((address) => (hasArrived = address !== null))

/** Focuses an element of the page that is shown first, unless the page has focused its field for messages. */
function useFocusOnArrival(id: string): void {
  useEffect(() => {
    if (!hasArrived) return
    hasArrived = false
    if (document.activeElement === document.body) document.getElementById(id)?.focus()
  }, [id])
}

/** What can wait is read some seconds after the inbox. */
function useReadLater(): void {
  const { data, error } = useInbox()
  const isRead = data !== undefined || error !== null
  useEffect(() => (isRead ? startLater() : undefined), [isRead])
}

function useKeepPush(me: string): void {
  const isLater = useLater()
  useEffect(() => (isLater ? keepPush(me) : undefined), [me, isLater])
}

/** Makes Ctrl+K, on a Mac ⌘K, open and close the palette. */
function usePaletteKey(): void {
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      if (event.altKey || event.shiftKey) return
      event.preventDefault()
      togglePalette()
    }
    addEventListener('keydown', toggle)
    return () => removeEventListener('keydown', toggle)
  }, [])
}
