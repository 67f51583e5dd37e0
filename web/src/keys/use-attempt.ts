import { useState } from 'react'
import { explain } from '../sign-in/explain.ts'

interface Attempt {
  busy: boolean
  /** Why the last one failed. */
  problem: string | undefined
  /** Does something that may fail. Answers whether it succeeded. */
  attempt: (work: () => Promise<void>) => Promise<boolean>
}

/** Something that a button begins and that may fail. */
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
