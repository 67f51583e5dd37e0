import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { Button } from '../ui/Button.tsx'

const AppealDialog = lazy(async () => ({ default: (await import('./AppealDialog.tsx')).AppealDialog }))

/** A wallet appeals with this button against what the operators did. */
export function Appeal({ variant }: Pick<ComponentProps<typeof Button>, 'variant'>) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button {...(variant && { variant })} onClick={() => setIsOpen(true)}>
        Appeal
      </Button>
      <Suspense>{isOpen && <AppealDialog onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}
