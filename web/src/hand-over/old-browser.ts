// The browser that is signed in makes a link, and follows what happens to it.

import type { Handover } from '@parley/sdk'
import { useEffect, useState } from 'react'
import { client } from '../service/api.ts'
import { linkAt } from '../first-run/link.ts'
import { handOverPath } from '../sign-in/handed-link.ts'
import { codeHashOf, newSecret } from './secret.ts'

interface Following {
  handover: Handover
  secret: string
}

/** Makes a link, again when `again` is called, and returns what is known of it. */
export function useHandover() {
  const [attempt, setAttempt] = useState(0)
  const [following, setFollowing] = useState<Following>()
  const [problem, setProblem] = useState<unknown>()
  useEffect(() => {
    const stop = new AbortController()
    setFollowing(undefined)
    setProblem(undefined)
    void follow(stop.signal, setFollowing).catch((error: unknown) => stop.signal.aborted || setProblem(error))
    return () => stop.abort()
  }, [attempt])
  return { ...following, problem, again: () => setAttempt(attempt + 1) }
}

async function follow(signal: AbortSignal, show: (now: Following) => void): Promise<void> {
  const secret = newSecret()
  const body = { code_hash: await codeHashOf(secret) }
  signal.throwIfAborted()
  let handover = await client.createHandover({ body }, { signal })
  for (;;) {
    signal.throwIfAborted()
    show({ handover, secret })
    const { state: after } = handover
    if (after === 'none' || after === 'done') return
    handover = await client
      .getHandover({ query: { after } }, { signal })
      .catch(() => afterAMoment(signal, handover))
  }
}

/** The connection may be back then. */
const afterAMoment = <T>(signal: AbortSignal, known: T) =>
  new Promise<T>((resolve, reject) => {
    setTimeout(() => (signal.aborted ? reject(signal.reason as Error) : resolve(known)), 2000)
  })

/** The path of another site cannot be opened by it. */
export const linkWith = (secret: string): string => `${linkAt(handOverPath)}#${secret}`
