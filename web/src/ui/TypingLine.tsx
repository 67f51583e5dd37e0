/** Shows who is typing. It keeps its height when nobody is, so that nothing moves. */
export function TypingLine({ names }: { names: string[] }) {
  const who =
    names.length > 2
      ? 'Several people are typing…'
      : names.length === 2
        ? `${names[0]} and ${names[1]} are typing…`
        : `${names[0]} is typing…`
  return (
    <p aria-live="polite" className="mx-auto h-6 w-full max-w-3xl truncate px-5 text-sm text-muted">
      {names.length > 0 && who}
    </p>
  )
}
