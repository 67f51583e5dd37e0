// What an operator is about to decide: the state of the form.

import type { Evidence, ModerationAction, QueuedReport } from '@parley/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../service/api.ts'
import { showNotice } from '../ui/notice.ts'
import { readAgain } from './queue.ts'
import { actions } from './words.ts'

const hour = 3_600_000
const ends = { hour, day: 24 * hour, week: 168 * hour, ever: undefined }
type End = keyof typeof ends
export const endLabels: [End, string][] = [
  ['hour', '1 hour'],
  ['day', '1 day'],
  ['week', '1 week'],
  ['ever', 'For ever'],
]

const all = Object.keys(actions) as ModerationAction[]
const set = (...names: ModerationAction[]): ReadonlySet<ModerationAction> => new Set(names)
const ofReports = set('acknowledge', 'escalate')
const ofMessages = set('remove_message', 'remove_post')
const ofChats = set('close_chat', 'open_chat', 'takedown_community', 'restore_community')
const ofBoth = set('acknowledge', 'escalate', 'note', 'hold', 'release')
/** What has an end. */
export const ending = set('mute', 'ban', 'shadow_mute', 'close_chat')
/** Of what no wallet reads the reason. */
export const untold = set(
  ...ofBoth,
  'close_chat',
  'open_chat',
  'restore_community',
  'hold',
  'release',
  'shadow_mute',
  'shadow_lift',
)

export interface About {
  subject: string
  kind: QueuedReport['kind']
  /** The reports that the decision answers. */
  reports: number[]
  /** The messages of the report that is open. */
  evidence: Evidence[]
  onDone?: () => void
}

/** The messages that an action can remove, each with its place in the list. */
const removable = (action: ModerationAction, evidence: Evidence[]) =>
  evidence.flatMap(({ id, toaddr }, index) =>
    ofMessages.has(action) && (action === 'remove_post') === (toaddr === undefined)
      ? [{ value: String(id), label: `Message ${index + 1}` }]
      : [],
  )

/** What can be done about a wallet or a chat, with reports about it or without. */
const offer = ({ kind, reports, evidence }: About): ModerationAction[] =>
  all
    .filter((one) => ofBoth.has(one) || ofChats.has(one) === (kind === 'chat'))
    .filter((one) => reports.length > 0 || !ofReports.has(one))
    .filter((one) => !ofMessages.has(one) || removable(one, evidence).length > 0)

/** What is chosen, and what sends it. */
export function useDecision(about: About) {
  const { subject, reports, evidence, onDone } = about
  const offered = offer(about)
  const [chosen, setAction] = useState(offered[0]!)
  const [reason, setReason] = useState('')
  const [end, setEnd] = useState<End>('day')
  const [chosenItem, setItem] = useState('')
  // What was chosen may be offered no longer: its reports were answered.
  const action = offered.includes(chosen) ? chosen : offered[0]!
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
      showNotice(actions[action].done)
      readAgain(subject)
      setReason('')
      onDone?.()
    },
  })
  return { offered, action, setAction, reason, setReason, end, setEnd, items, item, setItem, act }
}
