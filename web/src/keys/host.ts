// The host that the texts name which wallets sign for encryption: that of PUBLIC_URL, so that they
// are the same wherever the service is reached. The service writes it into the page, followed by
// ALLOWED_DOMAINS. A page at any other address asks for no signature: it is another site's copy, or
// these settings are wrong.

const told = document.querySelector<HTMLMetaElement>('meta[name=service-hosts]')?.content
const hosts = told ? told.split(' ') : [location.host]

/** The page's own where nothing is written, as on the server of `npm run dev -w web`. */
export const serviceHost = hosts[0]!
export const isAtService = hosts.includes(location.host)
