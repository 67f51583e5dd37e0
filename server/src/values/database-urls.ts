/**
 * Returns the URL of each host of DATABASE_URL. libpq lets a URL name several:
 * `postgres://user@one:5432,two:5433/parley?target_session_attrs=read-write`; a host without a port has 5432. It throws for any
 * other text. With several hosts the one that accepts writes is used, so `target_session_attrs` may only say that.
 */
export function databaseUrls(text: string): string[] {
  const [, scheme, user = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?]*@)?([^@/?]*)([/?].*)?$/.exec(text) ?? []
  if (scheme === undefined) throw new TypeError('not a URL of PostgreSQL')
  const urls = hosts.split(',').map((host) => {
    const url = new URL(`${scheme}${user}${host}${rest}`)
    const wanted = url.searchParams.get('target_session_attrs') ?? 'read-write'
    if (!['read-write', 'primary'].includes(wanted)) throw new TypeError(`target_session_attrs=${wanted}`)
    if (url.searchParams.has('target_session_attrs')) url.searchParams.delete('target_session_attrs')
    return url
  })
  if (urls.length > 1 && urls.some(({ hostname }) => hostname === '')) throw new TypeError('a host is empty')
  return urls.map(String)
}
