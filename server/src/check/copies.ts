import { isFresh } from '../messages/columns.ts'
import { when } from './walk.ts'

/**
 * Returns SQL for the possible faults of the copy of the last message in a row `c`: `m` is the message with the id `c.last_id`,
 * `n.last_id` the newest one, and `item` SQL of the copy that `m` gives. Both texts are fields of an object, and the time in the
 * copy is that of the message.
 */
export const copyFaults = (item: string, version: number): string[] => [
  when('c.last_id < n.last_id', `format('last_id is %s, the newest message is %s', c.last_id, n.last_id)`),
  when(
    `${isFresh(version)} and m.id is null`,
    `format('it shows message %s, which does not exist', c.last_id)`,
  ),
  when(
    `${isFresh(version)} and m.id is not null and ${asObject('c.last_item')} <> ${asObject(item)}`,
    `format('it does not show message %s as it is', c.last_id)`,
  ),
]

function asObject(fields: string): string {
  return `('{"":0' || ${fields} || '}')::jsonb`
}
