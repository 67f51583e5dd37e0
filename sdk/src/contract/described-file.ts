import { Type } from 'typebox'

/**
 * These fields describe a file that is not sealed, as its uploader gave them: the service never decodes a file. A sealed file has them
 * in its message.
 */
export const described = {
  width: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'of a picture or video, in pixels; with `height`, or absent',
      examples: [1200],
    }),
  ),
  height: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000, description: 'the same for its height', examples: [800] }),
  ),
  duration: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2 ** 31 - 1,
      description: 'of a sound or video, in milliseconds',
      examples: [4200],
    }),
  ),
  wave: Type.Optional(
    Type.String({
      pattern: '^(?:[\\w-]{4})*(?:[\\w-]{2,3})?$',
      minLength: 2,
      maxLength: 342,
      description:
        'of a sound: how loud it is from its start to its end, a byte each, up to 256 of them in base64url without padding',
      examples: ['AEB_QAA'],
    }),
  ),
  thumbhash: Type.Optional(
    Type.String({
      pattern: '^(?:[\\w-]{4})+(?:[\\w-]{2,3})?$',
      minLength: 7,
      maxLength: 34,
      description:
        'what a picture looks like from afar: a ThumbHash of 5 to 25 bytes in base64url without padding',
      examples: ['3OcRJYB4d3h_iIeHeEh3eIhw-j3A'],
    }),
  ),
  alt: Type.Optional(
    Type.String({
      format: 'text',
      maxLength: 1000,
      description: 'what it shows, for somebody who cannot see it: at most 1000 bytes of UTF-8',
      examples: ['A garden behind a white wall'],
    }),
  ),
}
