import type { Line } from './message.ts'

/** What is told between two messages. */
export const Lines = ({ lines }: { lines: Line[] | undefined }) =>
  lines?.map(({ at, content }) => (
    <p
      key={at}
      className="mx-auto max-w-md pt-4 pb-1 text-center text-xs text-pretty text-muted [&>svg]:me-0.5 [&>svg]:inline [&>svg]:size-3.5 [&>svg]:align-[-0.2em]"
    >
      {content}
    </p>
  ))
