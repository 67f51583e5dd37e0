import { useServiceInfo } from '../service/info.ts'
import { Card } from '../ui/Card.tsx'

/** Names the settings by which the administrator turns on what the service does not offer. */
export function NotOfferedCard() {
  const info = useServiceInfo()
  if (!info) return null
  const missing = [
    ...(info.push
      ? []
      : [{ what: 'Push notifications', setting: 'PUBLIC_URL', how: ' to an https address' }]),
    ...(info.telegram ? [] : [{ what: 'Telegram', setting: 'TELEGRAM_BOT_TOKEN', how: '' }]),
    ...(info.mail ? [] : [{ what: 'Mail', setting: 'SMTP_URL', how: '' }]),
  ]
  if (missing.length === 0) return null
  return (
    <Card title={`Not available on ${location.host}`}>
      <ul className="grid grid-cols-1 gap-1 text-sm text-pretty wrap-anywhere text-muted">
        {missing.map(({ what, setting, how }) => (
          <li key={setting}>
            {what}: the administrator has to set{' '}
            <a className="text-accent underline" href={`/docs/settings#${setting.toLowerCase()}`}>
              {setting}
            </a>
            {how}.
          </li>
        ))}
      </ul>
    </Card>
  )
}
