import path from 'node:path'
import { pathToFileURL } from 'node:url'

type Loader = typeof import('./history.ts')

/** Returns the loader of a checkout: each build fills the tables that it has itself. */
export const loaderOf = (root: string): Promise<Loader> =>
  import(pathToFileURL(path.join(root, 'bench/data/history.ts')).href) as Promise<Loader>
