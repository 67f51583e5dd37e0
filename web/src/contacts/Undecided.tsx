import { lazy, Suspense } from 'react'
import type { Standing } from './relation.ts'

const DecisionBar = lazy(async () => ({ default: (await import('./DecisionBar.tsx')).DecisionBar }))

interface Props {
  me: string
  peer: string
  title: string
  standing: Exclude<Standing, 'open'>
}

const placeholder = <div className="min-h-16 border-t border-line bg-surface" />

/** Takes the place of the field for messages while the reader has not decided, or while that is not known yet. */
export const Undecided = ({ standing, ...props }: Props) =>
  standing === 'checking' ? (
    placeholder
  ) : (
    <Suspense fallback={placeholder}>
      <DecisionBar {...props} standing={standing} />
    </Suspense>
  )
