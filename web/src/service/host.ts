// The texts that wallets sign for encryption name this host. It is that of PUBLIC_URL, so that the texts are the same
// at every address of the service. The service writes it into the page, followed by ALLOWED_DOMAINS. A page at any
// other address requests no signature: it is another site's copy, or these settings are wrong.

const content = document.querySelector<HTMLMetaElement>('meta[name=service-hosts]')?.content
const hosts = content ? content.split(' ') : [location.host]

/** It is the page's own host when nothing is written, as on the server of `npm run dev -w web`. */
export const serviceHost = hosts[0]!
export const isAtService = hosts.includes(location.host)
