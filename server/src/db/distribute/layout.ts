// Where tables lie on a cluster: server/cluster/distribute.sql, in which every statement is one line.

import { readFile } from 'node:fs/promises'
import path from 'node:path'

const folder = path.join(import.meta.dirname, '../../../cluster')

interface Statement {
  sql: string
  /** The table that it moves. */
  table: string | undefined
}

export interface Layout {
  /** The functions of a cluster. */
  ids: string
  /** Makes the table that only a cluster has: copies of conversations. */
  copies: string
  statements: Statement[]
  /** The tables that its statements move, in their order. */
  moved: string[]
  /** The tables that stay as they are. */
  local: string[]
}

export async function readLayout(): Promise<Layout> {
  const [ids, tables, copies] = await Promise.all(
    ['ids.sql', 'distribute.sql', 'copies.sql'].map((file) => readFile(path.join(folder, file), 'utf8')),
  )
  const lines = tables!.split('\n')
  const statements = lines
    .filter((line) => line !== '' && !line.startsWith('--'))
    .map((sql) => ({ sql, table: tableOf.exec(sql)?.[1] }))
  return {
    ids: ids!,
    copies: copies!,
    statements,
    moved: statements.flatMap(({ table }) => table ?? []),
    local: lines.flatMap((line) =>
      line.startsWith(localMark) ? line.slice(localMark.length).split(', ') : [],
    ),
  }
}

const localMark = '-- local: '
const tableOf =
  /^select (?:create_distributed_table|create_reference_table|citus_add_local_table_to_metadata)\('(\w+)'/
