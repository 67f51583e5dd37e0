import { domainToASCII } from 'node:url'
import { isPublicName } from './public-name.ts'

/**
 * Who answers for pushes: an https address or a mail address (RFC 8292). Some push services refuse each push whose contact nobody else
 * could reach, so its host is a name that all of the internet may know.
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
