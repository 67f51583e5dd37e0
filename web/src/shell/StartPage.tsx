import { lazy, Suspense } from 'react'
import { useTitle } from '../state/title.ts'

const FirstRun = lazy(async () => ({ default: (await import('../first-run/FirstRun.tsx')).FirstRun }))

/** Shows a page beside the inbox while no conversation is open. Small screens show the inbox alone. */
export function StartPage() {
  useTitle('Chats')
  return (
    <div className="grid h-full grid-cols-1">
      <h1 className="sr-only">Parley</h1>
      <div className="scroll-calm hidden overflow-y-auto md:grid">
        <div className="my-auto">
          <Suspense>
            <FirstRun />
          </Suspense>
        </div>
      </div>
    </div>
  )
}
