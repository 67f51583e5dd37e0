// The files that wait in this browser to be sent. Nothing puts any there yet.

/** Returns a file that waits; undefined when it is not there. */
export async function readWaiting(_key: string): Promise<Blob | undefined> {
  return undefined
}
