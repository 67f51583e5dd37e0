import { useState } from 'react'
import { explain } from '../../sign-in/explain.ts'

interface Attempt {
  busy: boolean
  /** This says why the last attempt failed. */
  problem: string | undefined
  /** Runs work that may fail. Returns true when it succeeded. */
  attempt: (work: () => Promise<void>) => Promise<boolean>
}

/** Handles work that a button starts and that may fail. */
export function useAttempt(): Attempt {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
      return true
    } catch (error) {
      setProblem(explain(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, attempt }
}
