// A list of sessions names a browser so, from its User-Agent: enough for its owner to recognise it, and nothing that
// distinguishes two browsers of a kind. The first that matches counts: most browsers also name those that they resemble.

const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: [RegExp, string][] = [
  [/\biPhone|\biPad|\biPod/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const find = (of: [RegExp, string][], text: string) => of.find(([shape]) => shape.test(text))?.[1]

/** Returns a label such as "Firefox on Linux". */
export function browserLabel(userAgent = ''): string {
  const system = find(systems, userAgent)
  return (find(browsers, userAgent) ?? 'A browser') + (system ? ` on ${system}` : '')
}
