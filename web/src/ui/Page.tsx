import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import { BackLink } from './BackLink.tsx'
import { classes } from './classes.ts'
import { EmptyState } from './EmptyState.tsx'
import { focusUnlessTaken } from './focus.ts'
import { useTitle } from '../state/title.ts'

interface Props {
  title: string
  children: ReactNode
  actions?: ReactNode
  /** When true, it has room for two columns. */
  wide?: boolean
  /** This is the page above this one, if that is not beside it. */
  up?: string | undefined
}

/** Shows a page of settings or text: a heading with a link back, and one column. */
export function Page({ title, children, actions, wide = false, up }: Props) {
  useTitle(title)
  useEffect(() => {
    focusUnlessTaken(document.querySelector<HTMLElement>('main h1'))
  }, [title])
  return (
    <div className="@container scroll-calm h-full overflow-y-auto">
      <header className="sticky top-0 z-10 flex h-16 items-center gap-2 border-b border-line bg-surface px-3 sm:px-5">
        <BackLink to={up} />
        <h1 tabIndex={-1} className="flex-1 truncate text-lg font-semibold outline-none">
          {title}
        </h1>
        {actions}
      </header>
      <div
        className={classes(
          'mx-auto grid grid-cols-1 gap-6 px-4 pt-6 pb-[max(1.5rem,env(safe-area-inset-bottom))] sm:px-6',
          wide ? 'max-w-6xl' : 'max-w-2xl',
        )}
      >
        {children}
      </div>
    </div>
  )
}

interface DeadEndProps {
  title: string
  icon: ReactNode
  /** This sentence says what is not there. */
  heading: string
  children: ReactNode
}

/** Shows a page that has nothing to show: why, and the way to the inbox. */
export const DeadEnd = ({ title, icon, heading, children }: DeadEndProps) => (
  <Page title={title}>
    <EmptyState
      icon={icon}
      title={heading}
      action={
        <Link to="/" className="inline-flex min-h-11 items-center font-medium text-accent underline">
          Go to chats
        </Link>
      }
    >
      {children}
    </EmptyState>
  </Page>
)
