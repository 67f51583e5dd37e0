// A person who signs out in one frame has left the site: its other frames show nothing of theirs any longer.

import { createClientOf } from '@parley/sdk'
import { sessions } from '@parley/sdk/slices'

/** The entry at which the session of a frame is stored. The hooks put `parley` and the address of the service before it. */
export const nameOf = (site: string, path: string): string => `${site} ${path.replace(/\?.*/, '')}`

let channel: BroadcastChannel | undefined

/**
 * Returns the one channel of this frame: what is sent on it reaches all other frames of the site, and not this one. A browser
 * that stores nothing for a frame may have none.
 */
function channelOf(site: string): BroadcastChannel | undefined {
  try {
    return (channel ??= new BroadcastChannel(`parley ${site}`))
  } catch {
    return undefined
  }
}

/** Calls back when the person signs out in another frame of the site, also in another tab. Returns how that ends. */
export function onSignOut(site: string, leave: () => void): () => void {
  const hears = channelOf(site)
  hears?.addEventListener('message', leave)
  return () => hears?.removeEventListener('message', leave)
}

/** Signs out in all other frames of the site: those that are loaded by their own means, and what this tab stores of others. */
export function signOutElsewhere(site: string): void {
  channelOf(site)?.postMessage('signed out')
  for (const token of takeSessions(`parley ${location.origin} ${site} `))
    createClientOf({ baseUrl: location.origin, token }, sessions)
      .signOut()
      // It may have ended already.
      .catch(() => {})
}

/** Removes the sessions that are stored under names with this beginning, and returns their tokens. */
function takeSessions(beginning: string): string[] {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(beginning))
    return names.map((name) => {
      const { token } = JSON.parse(sessionStorage.getItem(name)!) as { token: string }
      sessionStorage.removeItem(name)
      return token
    })
  } catch {
    return []
  }
}
