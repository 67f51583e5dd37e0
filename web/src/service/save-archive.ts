/** Reads an archive, and makes the browser save it as a file. It is saved only when it is complete. */
export async function saveArchive(archive: ReadableStream<Uint8Array>, name: string): Promise<void> {
  const url = URL.createObjectURL(await new Response(archive as BodyInit).blob())
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
