// The labels for the actions of moderators are here.

import { shortTime } from '../state/time.ts'

const actions: Record<string, string> = {
  add_moderator: 'Made a moderator',
  remove_moderator: 'Removed as a moderator',
  add_to_team: 'Added to the team',
  remove_from_team: 'Took off the team',
  hand_over: 'Handed over to',
  claim: 'Claimed the chat',
  remove_post: 'Removed a message of',
  approve_post: 'Approved a message of',
  reject_post: 'Rejected a message of',
  mute: 'Muted',
  ban: 'Banned',
  lift: 'Lifted the restriction of',
  set_rules: 'Changed the rules',
  set_gate: 'Changed who gets in',
  remove_gate: 'Opened the chat',
  open_to_public: 'Let anyone read the chat',
  close_to_public: 'Ended that anyone reads the chat',
  set_search_engines: 'Changed whether search engines list the page',
  set_about: 'Changed what it is about',
  create_room: 'Created the room',
  change_room: 'Changed the room',
  archive_room: 'Archived the room',
  open_room: 'Opened again the room',
  delete_room: 'Deleted the room',
}

/** Returns the label of a row of the log. */
export const logged = (action: string): string => actions[action] ?? action

/** Returns where an entry is about: a room, or nothing for the community itself. */
export function placeLogged(action: string, room: string | undefined): string {
  if (room === undefined) return ''
  return action.endsWith('_room') ? ` ${room}` : ` in ${room}`
}

/** Returns an end time as the end of a sentence. */
export const untilWords = (until: string): string =>
  until === 'forever' ? 'forever' : `until ${shortTime(until)}`

const seconds: [number, string][] = [
  [0, 'Off'],
  [10, '10 seconds'],
  [30, '30 seconds'],
  [60, '1 minute'],
  [300, '5 minutes'],
  [900, '15 minutes'],
  [3600, '1 hour'],
  [21_600, '6 hours'],
]

/** Returns the offered lengths of slow mode, and the current one when it is another. */
export const slowChoices = (current: number): { value: string; label: string }[] =>
  (seconds.some(([value]) => value === current)
    ? seconds
    : [...seconds, [current, `${current} seconds`] as const].toSorted((a, b) => a[0] - b[0])
  ).map(([value, label]) => ({ value: String(value), label }))

export const slowWords = (current: number): string =>
  slowChoices(current).find(({ value }) => value === String(current))!.label
