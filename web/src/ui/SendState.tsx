import { Check, CheckCheck, CircleAlert, Clock } from 'lucide-react'

const states = {
  sending: [Clock, 'Sending'],
  waiting: [Clock, 'Waiting for the connection'],
  failed: [CircleAlert, 'Not sent'],
  sent: [Check, 'Sent'],
  read: [CheckCheck, 'Read'],
} as const

/** The state of a sent message as an icon. */
export function SendState({ state }: { state: keyof typeof states }) {
  const [Icon, label] = states[state]
  return <Icon className="size-3.5" role="img" aria-label={label} />
}
