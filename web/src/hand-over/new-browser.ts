// The browser that opens a link: it learns whose account it is going to be signed in to, and asks. Then it shows a
// number, which is chosen in the other browser. What it knows is outside of the page's components, which are made again
// when the wallet is signed in.

import { ApiError, createClient, type OpenedHandover, takeSignIn } from '@parley/sdk'
import { maybeTemporary } from '@parley/sdk/retry.ts'
import { service } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { startSession } from '../service/session.ts'
import { keepToken } from '../service/tokens.ts'
import { withdrawSignOut } from '../sign-in/signing-out.ts'
import { createStore } from '../state/store.ts'
import { codeOf, newSecret } from './secret.ts'

type Opening =
  | { step: 'none' }
  | { step: 'opening' }
  | { step: 'asking' | 'waiting' | 'done'; opened: OpenedHandover }
  | { step: 'ended'; problem: string }

export const opening = createStore<Opening>({ step: 'none' })

interface Opened {
  secret: string
  claim: string
}
let current: Opened | undefined

// A token that is here already is not sent along: a refusal would end its session.
const anyone = createClient(service)

const end = (error: unknown) => opening.set({ step: 'ended', problem: describeError(error) })

/** Opens a link at the service, which gives it to this browser alone. */
export async function openLink(secret: string): Promise<void> {
  if (current?.secret === secret) return
  const mine = { secret, claim: newSecret() }
  current = mine
  opening.set({ step: 'opening' })
  try {
    const code = await codeOf(secret)
    const opened = await anyone.openHandover({ body: { code, claim: mine.claim } })
    if (current === mine) opening.set({ step: 'asking', opened })
  } catch (error) {
    if (current === mine) end(error)
  }
}

/** The person does not want it. */
export function refuseLink(): void {
  current = undefined
  opening.set({ step: 'none' })
}

/** Waits until the number is chosen in the other browser, and is signed in then. */
export async function waitForNumber(opened: OpenedHandover): Promise<void> {
  const mine = current
  if (!mine) return
  opening.set({ step: 'waiting', opened })
  try {
    const { session, sealed } = await untilChosen(mine)
    if (current !== mine) return
    const { address } = opened
    // What cannot be opened here is opened by the recovery code.
    if (sealed) await (await import('./keys.ts')).keepKeys(mine.secret, address, sealed).catch(() => {})
    keepToken(address, session)
    withdrawSignOut(address)
    opening.set({ step: 'done', opened })
    await startSession({ kind: 'handed-over', address })
  } catch (error) {
    if (current === mine) end(error)
  }
}

async function untilChosen({ claim }: Opened) {
  for (;;) {
    const taken = await takeSignIn(service, claim).catch(async (error: unknown) => {
      if (error instanceof ApiError && !maybeTemporary(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, 1000))
    })
    if (taken) return taken
  }
}
