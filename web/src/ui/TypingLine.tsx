import { classes } from './classes.ts'

/** Shows who is typing, over the end of the list, so that nothing moves. */
export function TypingLine({ names }: { names: string[] }) {
  const who =
    names.length > 2
      ? 'Several people are typing…'
      : names.length === 2
        ? `${names[0]} and ${names[1]} are typing…`
        : `${names[0]} is typing…`
  return (
    <div className="pointer-events-none relative mx-auto h-0 w-full max-w-3xl px-3 sm:px-4">
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
