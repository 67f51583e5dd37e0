import { Link } from 'react-router'

/** Shows the tags of a community. Each leads to the others that have it. */
export function TagLinks({ tags }: { tags: string[] }) {
  return (
    <ul className="flex flex-wrap justify-center gap-1.5" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <Link
            to={`/communities?tag=${encodeURIComponent(tag)}`}
            className="inline-flex min-h-8 items-center rounded-full bg-sunken px-2.5 text-sm hover:bg-hover pointer-coarse:min-h-11"
          >
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  )
}
