/** Who answers for pushes, as push services want it: an https address or a mail address of a real host (RFC 8292). */
export function pushSubject({
  publicUrl,
  mailFrom,
}: {
  publicUrl: string
  mailFrom: { address: string }
}): string | undefined {
  if (publicUrl.startsWith('https:')) return publicUrl
  const domain = mailFrom.address.split('@').at(-1)!
  return /\.[a-z]{2,}$/i.test(domain) ? `mailto:${mailFrom.address}` : undefined
}
