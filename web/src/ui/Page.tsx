import { type ReactNode, useEffect } from 'react'
import { BackLink } from './BackLink.tsx'
import { useTitle } from './title.ts'

interface Props {
  title: string
  children: ReactNode
  actions?: ReactNode
}

/** A page of settings or text: a heading with a link back, and one column. */
export function Page({ title, children, actions }: Props) {
  useTitle(title)
  useEffect(() => {
    document.querySelector<HTMLElement>('main h1')?.focus()
  }, [title])
  return (
    <div className="scroll-calm h-full overflow-y-auto">
      <header className="sticky top-0 z-10 flex h-16 items-center gap-2 border-b border-line bg-surface px-3 sm:px-5">
        <BackLink />
        <h1 tabIndex={-1} className="flex-1 truncate text-lg font-semibold outline-none">
          {title}
        </h1>
        {actions}
      </header>
      <div className="mx-auto grid max-w-2xl grid-cols-1 gap-6 px-4 pt-6 pb-[max(1.5rem,env(safe-area-inset-bottom))] sm:px-6">
        {children}
      </div>
    </div>
  )
}
