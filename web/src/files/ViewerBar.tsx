import { kindOf } from '@parley/sdk/files/kinds.ts'
import { ArrowDownToLine, Reply, X, ZoomIn, ZoomOut } from 'lucide-react'
import type { ComponentProps } from 'react'
import { shortTime } from '../state/time.ts'
import { classes } from '../ui/classes.ts'
import { save } from './save.ts'
import type { Viewed } from './viewed.ts'

interface Props extends Viewed {
  /** Such as 3 of 12; empty for the only one. */
  place: string
  zoomBy: (factor: number) => void
  onReply: (() => void) | undefined
  onClose: () => void
}

/** Shows above a picture whose it is, and what one does with it. */
export function ViewerBar({ file, message, place, zoomBy, onReply, onClose }: Props) {
  const { mine, author, timestamp } = message
  return (
    <header className="z-1 flex h-14 shrink-0 items-center gap-1 px-2 sm:px-4">
      <p className="min-w-0 flex-1 ps-2 leading-tight">
        <bdi className="block truncate font-semibold">{mine ? 'You' : author}</bdi>
        <span className="block truncate text-sm text-white/75">
          {[shortTime(timestamp), place].filter(Boolean).join(' · ')}
        </span>
      </p>
      {kindOf(file) === 'picture' && (
        <>
          <ViewerButton label="Zoom out" className="max-sm:hidden" onClick={() => zoomBy(1 / 1.5)}>
            <ZoomOut />
          </ViewerButton>
          <ViewerButton label="Zoom in" className="max-sm:hidden" onClick={() => zoomBy(1.5)}>
            <ZoomIn />
          </ViewerButton>
        </>
      )}
      {onReply && (
        <ViewerButton label="Reply" onClick={onReply}>
          <Reply />
        </ViewerButton>
      )}
      <ViewerButton label="Save" onClick={() => save(file)}>
        <ArrowDownToLine />
      </ViewerButton>
      <ViewerButton label="Close" onClick={onClose}>
        <X />
      </ViewerButton>
    </header>
  )
}

export const ViewerButton = ({
  label,
  className,
  ...button
}: ComponentProps<'button'> & { label: string }) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    className={classes(
      'grid size-11 shrink-0 place-items-center rounded-full hover:bg-white/15 focus-visible:outline-white [&>svg]:size-5.5',
      className,
    )}
    {...button}
  />
)
