// The service worker has the files that another app shares (worker/share.ts), until the page takes them.

let taken: Promise<File[]> | undefined

/** Returns the files that another app has shared with this page. */
export const sharedFiles = (): Promise<File[]> => (taken ??= take().catch(() => []))

/** They are part of a draft now. */
export const forgetShared = (): void => void (taken = undefined)

async function take(): Promise<File[]> {
  // Pages without HTTPS have no caches.
  if (!('caches' in globalThis)) return []
  const shared = await caches.open('shared')
  const files: File[] = []
  for (const request of await shared.keys()) {
    const response = (await shared.match(request))!
    const name = decodeURIComponent(response.headers.get('x-name') ?? 'file')
    const blob = await response.blob()
    files.push(new File([blob], name, { type: blob.type }))
  }
  await caches.delete('shared')
  return files
}
