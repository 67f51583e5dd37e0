import { type Static, Type } from 'typebox'

/** One rejected value of a request. */
export const FieldError = Type.Object({
  pointer: Type.String({ description: 'JSON Pointer (RFC 6901) to the value', examples: ['/body/toaddr'] }),
  detail: Type.String({
    description: 'What a valid value looks like',
    examples: ['is required: a wallet address'],
  }),
})
export type FieldError = Static<typeof FieldError>

/** The body of every error response: RFC 9457 problem details. */
export const Problem = Type.Object(
  {
    type: Type.String({
      description: 'Which failure it is; match on the name after the #. The address explains it',
      examples: ['/docs/errors#bad_request'],
    }),
    title: Type.String({ description: 'The HTTP status in words', examples: ['Bad Request'] }),
    status: Type.Integer({ description: 'The HTTP status', examples: [400] }),
    detail: Type.String({
      description: 'What went wrong and what to do, for people',
      examples: ['toaddr is required: a wallet address'],
    }),
    request_id: Type.String({ description: 'Quote it when you report a problem', examples: ['req-1f'] }),
    errors: Type.Optional(
      Type.Array(FieldError, { description: 'Each rejected value, when the request was malformed' }),
    ),
    current: Type.Optional(
      Type.Unknown({
        description: 'What is stored now, where another change came first',
        examples: [{ id: 42, revision: 1 }],
      }),
    ),
  },
  { $id: 'Problem', description: 'What went wrong (RFC 9457)' },
)
export type Problem = Static<typeof Problem>
