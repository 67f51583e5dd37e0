/** Whom the link leads to with which this page was opened. */
export type Invitation =
  | { kind: 'wallet'; address: string; name: string }
  | { kind: 'community'; name: string }

const told = document.querySelector<HTMLMetaElement>('meta[name=invitation]')?.content
const openedAt = location.pathname

/** What the service has written into the page about the link, while that page is shown. */
export const invitationTo = (pathname: string): Invitation | undefined =>
  told && pathname === openedAt ? (JSON.parse(told) as Invitation) : undefined
