export interface Setting<T> {
  /** This is the name of the environment variable. */
  name: string
  /** This value counts when the variable is not set or empty. */
  fallback: string
  description: string
  parse: (value: string) => T
  /** The setting stands under this heading. */
  section: string
}

/** Declares a setting, by a line such as `PORT=8080` with its name and default. */
export function setting<T>(line: string, description: string, parseValue: (value: string) => T): Setting<T> {
  const [name = '', fallback = ''] = line.split('=')
  return { name, fallback, description, parse: parseValue, section: '' }
}

/** Puts settings under a heading. */
export function section<Settings extends Record<string, Setting<unknown>>>(
  heading: string,
  settings: Settings,
): Settings {
  for (const each of Object.values(settings)) each.section = heading
  return settings
}

/** This type has the value of each setting of a table. */
export type Resolved<Settings extends Record<string, Setting<unknown>>> = {
  [Key in keyof Settings]: ReturnType<Settings[Key]['parse']>
}
