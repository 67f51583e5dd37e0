/** Says whether the service is about to end. */
export interface Lifecycle {
  readonly draining: boolean
  /** This is true when no other process will serve at this port afterwards. */
  readonly leaving: boolean
  /** From now on each connection is closed after its response. When the service leaves, /readyz returns 503. */
  drain: (leaves?: boolean) => void
}

export function startLifecycle(): Lifecycle {
  const state = {
    draining: false,
    leaving: false,
    drain: (leaves = true) => void Object.assign(state, { draining: true, leaving: leaves }),
  }
  return state
}
