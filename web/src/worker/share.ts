// Another app shares a text or files with the client. The browser sends a form, which never reaches the service: the page
// that opens has the text in its address, and takes the files from a cache (files/shared.ts).

const texts = ['title', 'text', 'url']

/** Keeps what is shared, and opens the page in which one chooses to whom it goes. */
export async function takeShare(request: Request): Promise<Response> {
  const form = await request.formData()
  const page = new URL('/share', location.origin)
  for (const name of texts) {
    const value = form.get(name)
    if (typeof value === 'string' && value !== '') page.searchParams.set(name, value)
  }
  await caches.delete('shared')
  const shared = await caches.open('shared')
  for (const [n, file] of form.getAll('files').entries()) {
    if (typeof file === 'string') continue
    const headers = { 'content-type': file.type, 'x-name': encodeURIComponent(file.name) }
    await shared.put(`/shared/${n}`, new Response(file, { headers }))
  }
  return Response.redirect(page.href, 303)
}
