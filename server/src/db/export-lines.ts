// An export is lines of JSON, which PostgreSQL makes page by page, each page by its own query. So a slow reader holds no
// transaction, and a long history needs the same memory as a short one.

import type { Db } from './pool.ts'

/** A page has at most this many rows, and ends after this many bytes. This bounds the memory of an export. */
export const pageSize = 100
export const pageBytes = 1024 * 1024

interface Lines {
  lines: string
  /** This is true when there may be another page. */
  more: boolean
  last: unknown[]
}

/**
 * Reads a list by keyset pages. `rows` selects an `item` as JSON text and its `place`, in order. Its parameters are the wallet,
 * or the values of `of`, and the place to begin after.
 */
export async function* byPages(
  db: Db,
  of: string | unknown[],
  rows: string,
  beginning: unknown[],
): AsyncGenerator<string, void, undefined> {
  const sql = `
    select coalesce(string_agg(item || E'\\n', '' order by n), '') as lines, json_agg(place order by n)->-1 as last,
      count(*) = ${pageSize} or coalesce(max(bytes), 0) >= ${pageBytes} as more
    from (
      select *, row_number() over () as n, sum(octet_length(item)) over (rows unbounded preceding) as bytes
      from (${rows} limit ${pageSize}) rows
    ) page where bytes - octet_length(item) < ${pageBytes}`
  for (let after = beginning; ;) {
    const [page] = await db.query<Lines>(sql, [of, after].flat())
    if (page!.lines) yield page!.lines
    if (!page!.more) return
    after = page!.last
  }
}

/** Yields the keys of chats, a thousand at a time. */
export async function* keysOf(db: Db, from: string, wallet: string): AsyncGenerator<string, void, undefined> {
  for (let chat: string | undefined = ''; ;) {
    const rows: { chat: string }[] = await db.query<{ chat: string }>(
      `select chat from ${from} and chat > $2 order by chat limit 1000`,
      [wallet, chat],
    )
    for (const row of rows) yield row.chat
    chat = rows.at(-1)?.chat
    if (chat === undefined) return
  }
}
