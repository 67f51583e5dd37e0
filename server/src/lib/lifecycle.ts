/** Says whether the service is about to end. */
export interface Lifecycle {
  readonly draining: boolean
  /** This is true when no other process will serve at this port afterwards. */
  readonly leaving: boolean
  /** From now on each connection is closed after its response. When the service leaves, /readyz returns 503. */
  drain: (leaves?: boolean) => void
}

export function startLifecycle(): Lifecycle {
  let draining = false
  let leaving = false
  return {
    get draining() {
      return draining
    },
    get leaving() {
      return leaving
    },
    drain: (leaves = true) => {
      draining = true
      leaving = leaves
    },
  }
}
