/** This text comes before the requests in the docs, in Markdown. */
export const introduction = `
Messaging where a wallet address is the identity. Everything that the web client does goes through these requests.

## Sign in

1. \`GET /users/{address}/nonce\` returns a text to sign (EIP-4361), which holds a nonce.
2. The wallet signs the text, as it is.
3. \`POST /signin\` takes the signature and returns a token, which is valid for 24 hours: in the \`Authorization\` header, or as the body to clients that send \`Accept: application/jwt\`.
4. Every other request carries it: \`Authorization: Bearer <token>\`. Here, **Authorize** does that.

A program needs no wallet for it: an API key goes in the same place (\`POST /v1/api_keys\`). Each request says which scope a key needs for it.

~~~sh
curl -s $BASE/users/$ADDRESS/nonce
curl -s $BASE/signin -H 'Accept: application/jwt' -H 'Content-Type: application/json' \\
  -d '{"address": "0x…", "msg": "<the message>", "sig": "0x…"}'
curl -s $BASE/v1/get_inbox/$ADDRESS -H "Authorization: Bearer $TOKEN"
~~~

## Errors, limits and lists

- **Errors** are problem documents (RFC 9457): \`detail\` says what a right value looks like, \`errors\` names the fields, \`request_id\` finds it in the log.
- **Rate limits**: every answer says what is left (\`RateLimit\`, \`RateLimit-Policy\`). Beyond that it is 429, and \`Retry-After\` says when to come back.
- **Lists** are oldest first and whole; \`limit\`, \`after\` and \`before\` give pages.
- **Repeating** a request that creates something is safe with an \`Idempotency-Key\`: the same key and body within 24 hours answers the first result.

## Requests
`
