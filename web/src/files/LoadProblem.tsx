import type { Loaded } from './kept.ts'

/** Says below the row of a file why it could not be loaded. */
export const LoadProblem = ({ loaded }: { loaded: Loaded }) =>
  loaded.state === 'failed' && (
    <p role="status" className="pb-1 text-sm text-pretty">
      {loaded.problem}
    </p>
  )
