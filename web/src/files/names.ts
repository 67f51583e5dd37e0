// How the name of a file is shown, and what its ending says.

import { withoutUnseen } from '@parley/sdk/unseen.ts'
import type { ShownFile } from './shown.ts'
import { sizeText } from './size-text.ts'

type Named = Pick<ShownFile, 'name' | 'type'>

/** Systems ignore full stops and blanks at the end of a name. */
const tidy = (name: string): string => withoutUnseen(name).replace(/[.\s]+$/, '') || 'file'

/** Returns the ending of a name in lower case; empty without one. */
export const endingOf = (name: string): string =>
  /.\.([^.\s]{1,12})$/.exec(tidy(name))?.[1]?.toLowerCase() ?? ''

/**
 * Returns a name in two parts, of which the first one is cut where there is no room. The second one is its ending, and is
 * always shown: letters that are written from right to left do not move it.
 */
export function partsOfName(name: string): [start: string, end: string] {
  const shown = tidy(name)
  const ending = endingOf(name)
  const dot = ending ? shown.length - ending.length - 1 : shown.length
  // Some more letters at the end distinguish names that begin alike.
  const more = dot > 16 && /^[ -~]*$/.test(shown) ? shown.slice(dot - 6, dot).trimStart().length : 0
  return [shown.slice(0, dot - more), shown.slice(dot - more)]
}

/** Returns the name under which a file is saved. */
export const nameToSave = ({ name }: Named): string => tidy(name)

/** Files with these endings can run programs where they are opened. */
const programs = new Set(
  (
    'exe com scr pif cpl bat cmd ps1 psm1 psd1 vbs vbe vb js jse mjs cjs ws wsf wsh wsc sct hta msi msp msix msixbundle ' +
    'appx appxbundle application gadget inf ins reg scf lnk url library-ms search-ms desktop webloc inetloc fileloc ' +
    'dll sys drv ocx xll chm hlp jar jnlp class apk aab ipa dmg pkg mpkg app command terminal tool workflow action ' +
    'scpt scptd applescript deb rpm appimage snap flatpak run bin out elf sh bash zsh csh fish ksh py pyc pyw pyz ' +
    'rb pl php lua tcl iso img vhd vhdx udf cab html htm xhtml xht shtml mht mhtml svg svgz xml xsl xslt swf ' +
    'docm dotm xlsm xltm xlam xlsb pptm potm ppam ppsm ppa sldm one onepkg slk iqy rtf settingcontent-ms ' +
    'mobileconfig crx xpi vsix'
  ).split(' '),
)

/** They are not what their name may say. */
const programTypes =
  /^(?:text\/(?:html|javascript|xml)|image\/svg\+xml|application\/(?:xhtml\+xml|javascript|x-(?:msdownload|sh|elf|mach-binary|msi|apple-diskimage|rpm|deb)|vnd\.(?:android\.package-archive|microsoft\.portable-executable)|java-archive))$/

/** Returns true for a file that can run programs. */
export const mayRun = ({ name, type }: Named): boolean =>
  programs.has(endingOf(name)) || programTypes.test(type)

/** Returns true when a name has another ending before its last one, so that it looks like another kind of file. */
export const hasTwoEndings = (name: string): boolean =>
  /\.(?:jpe?g|png|gif|webp|avif|pdf|txt|docx?|xlsx?|pptx?|mp3|mp4|m4a|mov|webm|zip|csv)[.\s_-]*\.[^.\s]{1,12}$/i.test(
    tidy(name),
  )

/** Returns what a row says below a name: PDF · 2.3 MB. */
export const factsOf = ({ name, size }: Pick<ShownFile, 'name' | 'size'>): string =>
  [endingOf(name).toUpperCase(), sizeText(size)].filter(Boolean).join(' · ')

/** Returns the length of a sound or video: 0:07, 12:30, 1:02:05. */
export function lengthText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`
}
