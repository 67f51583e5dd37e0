/** Whether the service is about to end. */
export interface Lifecycle {
  readonly draining: boolean
  /** Whether nothing will serve in its place at this port. */
  readonly leaving: boolean
  /** From now on each connection is closed after its answer and, when it leaves, /readyz answers 503. */
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
