// This is the state of the form in which an operator decides.

import type { Evidence, ModerationAction, QueuedReport, Subject } from '@parley/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { client, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useUnsaved } from '../service/unsaved.ts'
import { showDone, showNotice } from '../state/notice.ts'
import { day, hour } from '../state/time.ts'
import { readAgain } from './queue.ts'
import { actions } from './labels.ts'

const ends = { hour, day, week: 7 * day, ever: undefined }
type End = keyof typeof ends
export const endLabels: [End, string][] = [
  ['hour', '1 hour'],
  ['day', '1 day'],
  ['week', '1 week'],
  ['ever', 'Forever'],
]

const all = Object.keys(actions) as ModerationAction[]
const set = (...names: ModerationAction[]): ReadonlySet<ModerationAction> => new Set(names)
const ofReports = set('acknowledge', 'escalate')
const ofMessages = set('remove_message', 'remove_post')
const ofChats = set(
  'close_chat',
  'open_chat',
  'takedown_community',
  'restore_community',
  'stop_announcements',
  'allow_announcements',
  'recommend_community',
  'unrecommend_community',
)
const ofBoth = set('acknowledge', 'escalate', 'note', 'hold', 'release')
/** These actions have an end. */
export const ending = set('mute', 'ban', 'shadow_mute', 'close_chat', 'stop_announcements')
/** No wallet reads the reason of these. */
export const untold = set(
  ...ofBoth,
  'close_chat',
  'open_chat',
  'restore_community',
  'stop_announcements',
  'allow_announcements',
  'recommend_community',
  'unrecommend_community',
  'hold',
  'release',
  'shadow_mute',
  'shadow_lift',
)

export interface About {
  subject: string
  kind: QueuedReport['kind']
  /** The decision answers these reports. */
  reports: number[]
  /** These are the messages of the report that is open. */
  evidence: Evidence[]
  /** Runs when it is done, unless that answers no report. */
  onDone?: () => void
  /** Runs when it was undone. */
  onUndone?: () => void
}

/** Returns the messages that an action can remove, each with its place in the list. */
const removable = (action: ModerationAction, evidence: Evidence[]) =>
  evidence.flatMap(({ id, toaddr }, index) =>
    ofMessages.has(action) && (action === 'remove_post') === (toaddr === undefined)
      ? [{ value: String(id), label: `Message ${index + 1}` }]
      : [],
  )

/** These actions end a sanction of these kinds. */
const endings: Partial<Record<ModerationAction, Sanctions[number]['kind'][]>> = {
  lift: ['mute', 'ban'],
  shadow_lift: ['shadow_mute'],
  open_chat: ['close'],
  restore_community: ['takedown'],
  allow_announcements: ['announce'],
  release: ['hold'],
}

type Sanctions = Subject['sanctions']

/** Returns the actions for a wallet or a chat, with reports about it or without. */
const offer = ({ kind, reports, evidence }: About, sanctions: Sanctions | undefined): ModerationAction[] =>
  all
    .filter(
      (one) => !sanctions || (endings[one]?.some((of) => sanctions.some((is) => is.kind === of)) ?? true),
    )
    .filter((one) => ofBoth.has(one) || ofChats.has(one) === (kind === 'chat'))
    .filter((one) => reports.length > 0 || !ofReports.has(one))
    .filter((one) => !ofMessages.has(one) || removable(one, evidence).length > 0)

/** These actions undo another. A deletion, a message or an answer cannot be undone. */
const opposites: Partial<Record<ModerationAction, ModerationAction>> = {
  mute: 'lift',
  ban: 'lift',
  shadow_mute: 'shadow_lift',
  close_chat: 'open_chat',
  takedown_community: 'restore_community',
  stop_announcements: 'allow_announcements',
  recommend_community: 'unrecommend_community',
  hold: 'release',
}

/** Says what was done, and offers to undo it when that is possible. The log has both. */
function sayDone(action: ModerationAction, { subject, onUndone }: About, isFirst: boolean): void {
  const opposite = opposites[action]
  // An earlier decision would end with this one.
  if (!opposite || !isFirst) return showNotice(actions[action].done)
  const takeBack = async () => {
    try {
      await client.act({ body: { action: opposite, subject, reason: 'Decided by mistake' } })
      showNotice(actions[opposite].done)
      readAgain(subject)
      onUndone?.()
    } catch (error) {
      showNotice(describeError(error))
    }
  }
  showDone(actions[action].done, () => void takeBack())
}

interface Decision {
  /** It is undefined until one was chosen. */
  action?: ModerationAction
  reason: string
  end: End
  /** This is the id of the message to remove. */
  item?: string
}

const none: Decision = { reason: '', end: 'day' }

/** Returns the chosen decision, and the functions that change and send it. */
export function useDecision(about: About) {
  const { subject, kind, reports, evidence, onDone } = about
  // A sanction that is known not to be in force is not offered to end.
  const { data: known } = useQuery(query('getSubject', { address: subject }))
  const sanctions = known?.[0]?.sanctions
  const offered = offer(about, sanctions)
  const [entered = none, enter] = useUnsaved<Decision>(`decision about the ${kind} ${subject}`)
  const { action: chosen, reason, end, item: chosenItem } = entered
  // The chosen action may no longer be offered: its reports were answered.
  const action = chosen && offered.includes(chosen) ? chosen : offered[0]!
  const items = removable(action, evidence)
  const item = items.find(({ value }) => value === chosenItem)?.value ?? items[0]?.value
  const act = useMutation({
    mutationFn: () => {
      const ms = ending.has(action) ? ends[end] : undefined
      const until = ms === undefined ? {} : { until: new Date(Date.now() + ms).toISOString() }
      const removed = item === undefined ? {} : { item_id: Number(item) }
      return client.act({
        body: { action, subject, reason: reason.trim(), report_ids: reports, ...until, ...removed },
      })
    },
    onSuccess: () => {
      sayDone(action, about, sanctions?.length === 0)
      readAgain(subject)
      enter(undefined)
      // A note leaves the report as it is.
      if (action !== 'note') onDone?.()
    },
  })
  const change = (part: Partial<Decision>) => enter({ ...entered, ...part })
  return { offered, action, reason, end, items, item, change, act }
}
