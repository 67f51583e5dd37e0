/** Whether the service still wants work. */
export interface Lifecycle {
  readonly draining: boolean
  /** From now on the service says that it is about to end, and closes each connection after its answer. */
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
