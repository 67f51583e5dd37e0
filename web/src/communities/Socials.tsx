import type { CommunityInfo } from '@parley/sdk'

const hosts: Record<string, (name: string) => string> = {
  twitter: (name) => `https://x.com/${name}`,
  x: (name) => `https://x.com/${name}`,
  telegram: (name) => `https://t.me/${name}`,
  github: (name) => `https://github.com/${name}`,
  farcaster: (name) => `https://farcaster.xyz/${name}`,
  discord: (name) => `https://discord.gg/${name}`,
}

/** Shows the community's accounts on other networks. Only names of safe characters become links. */
export function Socials({ social }: Pick<CommunityInfo, 'social'>) {
  if (social.length === 0) return null
  return (
    <ul className="flex flex-wrap justify-center gap-2">
      {social.map(({ type, username }) => {
        const name = username.replace(/^@/, '')
        const address = /^[\w.-]{1,64}$/.test(name) ? hosts[type.toLowerCase()]?.(name) : undefined
        const label = (
          <>
            <span className="text-muted">{type}</span> {username}
          </>
        )
        const style =
          'inline-flex min-h-8 pointer-coarse:min-h-11 items-center gap-1.5 rounded-full bg-sunken px-3 text-sm'
        return (
          <li key={`${type} ${username}`}>
            {address ? (
              <a
                className={`${style} underline-offset-2 hover:underline`}
                href={address}
                target="_blank"
                rel="noopener noreferrer"
              >
                {label}
              </a>
            ) : (
              <span className={style}>{label}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
