import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'

/** The state of the service. */
export const Health = Type.Object(
  {
    status: Type.Literal('ok', { description: 'always ok: anything else is an error', examples: ['ok'] }),
    writes: Type.Optional(
      Type.Literal('refused', {
        description: 'present while the disk has no room: only reading, deleting and signing in work',
        examples: ['refused'],
      }),
    ),
  },
  { $id: 'Health', description: 'The state of the service' },
)
export type Health = Static<typeof Health>

export const health = endpoints({
  isAlive: {
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the service runs',
    description: 'Does not use the database: when this fails, start the service again.',
    access: 'public',
    limit: 'static',
    response: Health,
  },
  isReady: {
    method: 'GET',
    path: '/readyz',
    summary: 'Whether the service accepts requests',
    description:
      '503 while the database is out of reach or not migrated, and while the service is stopping: send requests to another instance then.',
    access: 'public',
    limit: 'static',
    response: Health,
  },
})
