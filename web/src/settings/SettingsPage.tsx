import { ChevronRight } from 'lucide-react'
import { useEffect } from 'react'
import { Link, Navigate, useLocation, useParams } from 'react-router'
import { useMe } from '../service/session.ts'
import { classes } from '../ui/classes.ts'
import { Page } from '../ui/Page.tsx'
import { parts, type SettingsPart } from './pages.tsx'

/**
 * Shows the profile and the settings of the signed-in wallet: a list of pages, and beside it one of them when there is
 * room.
 */
export function SettingsPage() {
  const { part: path } = useParams()
  const card = useLocation().hash.slice(1)
  const part = parts.find((one) => one.path === path)
  const meant = parts.find(({ cards }) => card in cards) ?? part
  useEffect(() => {
    if (card) document.getElementById(card)?.scrollIntoView({ block: 'start' })
  }, [card])
  if (meant !== part) return <Navigate to={`/settings/${meant!.path}#${card}`} replace />
  if (path && !part) return <Navigate to="/settings" replace />
  return (
    <Page title={part?.title ?? 'Profile and settings'} wide up={part && '/settings'}>
      <div className="grid grid-cols-1 items-start gap-6 @min-[43rem]:grid-cols-[13rem_minmax(0,40rem)]">
        <nav
          aria-label="Settings"
          className={classes('@min-[43rem]:sticky @min-[43rem]:top-22', part && 'hidden @min-[43rem]:block')}
        >
          <ul className="grid gap-1">
            {parts.map((one) => (
              <Row key={one.path} part={one} isShown={one === (part ?? parts[0])} isOpen={one === part} />
            ))}
          </ul>
        </nav>
        <Cards part={part ?? parts[0]!} isBeside={!part} />
      </div>
    </Page>
  )
}

/** `isShown` says whether its cards are beside the list, `isOpen` whether the address is its own. */
const Row = ({ part, isShown, isOpen }: { part: SettingsPart; isShown: boolean; isOpen: boolean }) => (
  <li>
    <Link
      to={`/settings/${part.path}`}
      aria-current={isOpen ? 'page' : undefined}
      className={classes(
        'flex min-h-14 items-center gap-3 rounded-xl px-3 hover:bg-hover @min-[43rem]:min-h-11',
        isShown && '@min-[43rem]:bg-selected @min-[43rem]:text-accent-strong',
      )}
    >
      <part.Icon className="size-5 shrink-0 text-muted" aria-hidden="true" />
      <span className="grid min-w-0 flex-1 leading-snug">
        <span className="font-medium">{part.title}</span>
        <span className="truncate text-sm text-muted @min-[43rem]:hidden">{part.hint}</span>
      </span>
      <ChevronRight
        className="size-4 shrink-0 text-muted rtl:rotate-180 @min-[43rem]:hidden"
        aria-hidden="true"
      />
    </Link>
  </li>
)

/** Shows the cards of a page. `isBeside`: only when there is room beside the list. */
function Cards({ part, isBeside }: { part: SettingsPart; isBeside: boolean }) {
  const address = useMe()
  return (
    <div className={classes('grid grid-cols-1 gap-6', isBeside && 'hidden @min-[43rem]:grid')}>
      {Object.entries(part.cards).map(([id, Card]) => (
        <div key={id} id={id} className="scroll-mt-22 empty:hidden">
          <Card address={address} />
        </div>
      ))}
    </div>
  )
}
