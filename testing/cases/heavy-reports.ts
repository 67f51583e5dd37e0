// Heavy rows are made of this SQL.

/** JSON doubles the quotes. */
export const quotes = (bytes: number) => `repeat('"', ${bytes})`

/** SQL for the address of the wallet with the number `n`, none of which signs in. */
export const other = (n = 'n') => `'0x' || lpad(to_hex(${n}), 40, '0')`

/** A step writes: a statement with its values. */
export type Step = [sql: string, values: unknown[]]

// Reports and the log of operators with the most that they may have.

/** Makes a report with as many copies as there may be. */
export const heavyReport = 1

/** Writes what operators see; the wallet is one, so that it may request it. */
export function reportsOf(wallet: string): Step[] {
  const copies = `select json_agg(json_build_object('id', m, 'fromaddr', ${other('1')}, 'at', '2026-01-01T00:00:00.000Z', 'proof', 'stored', 'message', ${quotes(6000)}))::text from generate_series(1, 20) m`
  const items = `select json_agg(json_build_object('id', m, 'proof', 'stored')) from generate_series(1, 20) m`
  const report = (who: string, about: string, from: number, to: number): Step => [
    `insert into reports (day, reporter, subject, is_chat, reason, text, weight, evidence, items, messages, ms, expires_ms)
     select n, ${who}, ${about}, false, 'spam', ${quotes(1024)}, 1 + n % 10, (${copies}), (${items}), 20, n, ${Number.MAX_SAFE_INTEGER}
     from generate_series(${from}, ${to}) n`,
    [],
  ]
  const of = `'${wallet}'`
  return [
    report(of, other(), 1, 200),
    report(other(), other('n + 1'), 1001, 2000),
    [`insert into operators (address, added_ms) values ($1, 1)`, [wallet]],
    [
      `insert into moderation_log (id, ms, operator, action, subject, reason, reports, hash)
       select n, n, ${other('1')}, 'warn', $1::text, ${quotes(1024)}, (select array_agg(m) from generate_series(1, 50) m), sha256(convert_to(n::text, 'UTF8'))
       from generate_series(1, 2000) n`,
      [wallet],
    ],
    [
      `insert into moderation_head (id, hash) values (2000, sha256('2000')) on conflict (one) do update set id = excluded.id, hash = excluded.hash`,
      [],
    ],
  ]
}
