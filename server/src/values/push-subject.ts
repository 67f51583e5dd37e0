import { domainToASCII } from 'node:url'
import { isPublicName } from './public-name.ts'

/**
 * Returns the contact for pushes: an https address or a mail address (RFC 8292). Some push services refuse each push whose
 * contact nobody else can reach, so its host must be a public name.
 */
export function pushSubject({
  publicUrl,
  mailFrom,
}: {
  publicUrl: string
  mailFrom: { address: string }
}): string | undefined {
  const url = URL.parse(publicUrl)
  if (url?.protocol === 'https:' && isPublicName(url.hostname)) return publicUrl
  const at = mailFrom.address.lastIndexOf('@')
  const domain = domainToASCII(mailFrom.address.slice(at + 1))
  return isPublicName(domain) ? `mailto:${mailFrom.address.slice(0, at)}@${domain}` : undefined
}
