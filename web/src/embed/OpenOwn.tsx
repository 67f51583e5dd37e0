interface Props {
  /** The address of the client of the service. */
  href: string
  className: string
  children: string
}

/** Opens the service's own client in another tab: the frame itself never goes elsewhere. */
export const OpenOwn = ({ href, className, children }: Props) => (
  <a {...{ href, className }} target="_blank" rel="noopener">
    {children}
  </a>
)
