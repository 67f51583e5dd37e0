/** This is a bucket of an S3-compatible service, and the key that may use it. */
export interface S3Access {
  /** The address of the bucket: the host and the name. */
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** All keys of objects begin with it; it is empty or ends with a slash. */
  prefix: string
}

/** Reads an address of the form `https://KEY:SECRET@host/bucket?region=…`; undefined for another form. */
export function parseS3Access(value: string): S3Access | undefined {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol) || url.hash) return undefined
  const { region = 'us-east-1', ...others } = Object.fromEntries(url.searchParams)
  const [bucket, ...folders] = url.pathname.split('/').filter(Boolean)
  if (!bucket || !/^[\w.-]{1,255}$/.test(bucket) || !folders.every((folder) => /^[\w.-]+$/.test(folder)))
    return undefined
  if (Object.keys(others).length > 0 || !/^[\w-]{1,64}$/.test(region)) return undefined
  const [accessKeyId, secretAccessKey] = [decoded(url.username), decoded(url.password)]
  if (!accessKeyId || !secretAccessKey) return undefined
  const prefix = folders.map((folder) => `${folder}/`).join('')
  return { endpoint: `${url.origin}/${bucket}`, region, accessKeyId, secretAccessKey, prefix }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
