import { classes } from '../ui/classes.ts'

interface Props {
  names: string[]
  /** The line is over the end of the messages, so that nothing moves; else it is below what is there in their place. */
  isOver: boolean
}

/** Shows who is typing. */
export function TypingLine({ names, isOver }: Props) {
  const who =
    names.length > 2
      ? 'Several people are typing…'
      : names.length === 2
        ? `${names[0]} and ${names[1]} are typing…`
        : `${names[0]} is typing…`
  return (
    <div
      className={classes(
        'pointer-events-none relative mx-auto w-full max-w-3xl shrink-0 px-3 sm:px-4',
        isOver || names.length === 0 ? 'h-0' : 'h-7',
      )}
    >
      <p
        aria-live="polite"
        className={classes(
          'absolute bottom-1 max-w-[calc(100%-1.5rem)] truncate rounded-full px-2 text-sm text-muted',
          names.length > 0 && 'bg-page',
        )}
      >
        {names.length > 0 && who}
      </p>
    </div>
  )
}
