import { isUtf8 } from 'node:buffer'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { FastifyInstance } from 'fastify'

/** Accepts JSON only, as `application/json` or `text/plain`. Bytes that are not UTF-8 are refused rather than replaced. */
export function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  parse(app, ['application/json', 'text/plain'], (text) => text)
}

/** Also accepts a form with the JSON in its field `payload`. */
export const parseForms = (scope: FastifyInstance): void =>
  parse(
    scope,
    ['application/x-www-form-urlencoded'],
    (text) => new URLSearchParams(text).get('payload') ?? '',
  )

/** Accepts bytes of this type alone, which the handler reads from the request. */
export function leaveBytes(scope: FastifyInstance, type: string): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(type, (request, _bytes, done) => {
    if (request.headers['content-encoding'] ?? false) return done(withoutEncoding())
    done(null, undefined)
  })
  scope.addContentTypeParser('*', (_request, _bytes, done) =>
    done(new ApiError('unsupported_media_type', `Send the bytes as Content-Type: ${type}.`)),
  )
}

const withoutEncoding = () =>
  new ApiError('unsupported_media_type', 'Send the body without a Content-Encoding.')

function parse(app: FastifyInstance, types: string[], jsonOf: (text: string) => string): void {
  app.addContentTypeParser(types, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined)
    if (request.headers['content-encoding'] ?? false) return done(withoutEncoding())
    try {
      if (!isUtf8(body)) throw new SyntaxError('bytes that are not UTF-8')
      // Some programs write a byte order mark, which a parser may ignore (RFC 8259, 8.1).
      done(null, JSON.parse(jsonOf(body.toString('utf8')).replace(/^\ufeff/, '')))
    } catch (cause) {
      done(
        new ApiError('bad_request', 'The body must be JSON in UTF-8, such as {"message":"gm"}.', { cause }),
      )
    }
  })
}
