import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'

/** How the service is. */
export const Health = Type.Object(
  { status: Type.Literal('ok', { description: 'always ok: anything else is an error', examples: ['ok'] }) },
  { $id: 'Health', description: 'How the service is' },
)
export type Health = Static<typeof Health>

export const health = endpoints({
  isAlive: {
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the service runs',
    description: 'Asks nothing of the database: when this fails, start the service again.',
    access: 'public',
    limit: 'none',
    response: Health,
  },
  isReady: {
    method: 'GET',
    path: '/readyz',
    summary: 'Whether the service takes requests',
    description:
      '503 while the database is out of reach or not migrated, and from the moment the service is told to stop: send requests to another instance then.',
    access: 'public',
    limit: 'none',
    response: Health,
  },
})
