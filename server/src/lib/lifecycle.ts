/** Whether the service is about to end. */
export interface Lifecycle {
  readonly draining: boolean
  /** From now on /readyz answers 503, and each connection is closed after its answer. */
  drain: () => void
}

export function startLifecycle(): Lifecycle {
  let draining = false
  return {
    get draining() {
      return draining
    },
    drain: () => {
      draining = true
    },
  }
}
