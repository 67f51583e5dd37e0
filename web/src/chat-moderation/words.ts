// What the pages call what moderators do.

import { shortTime } from '../ui/time.ts'

const actions: Record<string, string> = {
  add_moderator: 'Made a moderator',
  remove_moderator: 'Moderator no more',
  hand_over: 'Handed over to',
  claim: 'Claimed the chat',
  remove_post: 'Removed a message of',
  approve_post: 'Approved a message of',
  reject_post: 'Rejected a message of',
  mute: 'Muted',
  ban: 'Banned',
  lift: 'Lifted what held for',
  set_rules: 'Changed the rules',
}

/** What the log calls a row. */
export const logged = (action: string): string => actions[action] ?? action

/** An end, as the end of a sentence. */
export const untilWords = (until: string): string =>
  until === 'forever' ? 'for ever' : `until ${shortTime(until)}`

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

/** The lengths of slow mode that are offered, and the one that holds where it is another. */
export const slowChoices = (current: number): { value: string; label: string }[] =>
  (seconds.some(([value]) => value === current)
    ? seconds
    : [...seconds, [current, `${current} seconds`] as const].toSorted((a, b) => a[0] - b[0])
  ).map(([value, label]) => ({ value: String(value), label }))

export const slowWords = (current: number): string =>
  slowChoices(current).find(({ value }) => value === String(current))!.label
