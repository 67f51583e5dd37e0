import { lazy, Suspense } from 'react'
import { useTitle } from '../ui/title.ts'

const Door = lazy(async () => ({ default: (await import('../door/Door.tsx')).Door }))

/** Shown beside the inbox while no conversation is open. On small screens there is the inbox alone. */
export function StartPage() {
  useTitle('Chats')
  return (
    <div className="grid h-full grid-cols-1">
      <h1 className="sr-only">Parley</h1>
      <div className="scroll-calm hidden overflow-y-auto md:grid">
        <div className="my-auto">
          <Suspense>
            <Door />
          </Suspense>
        </div>
      </div>
    </div>
  )
}
