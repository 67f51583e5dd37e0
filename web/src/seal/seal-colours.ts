import type { Random } from './seal-random.ts'

export interface Colours {
  field: string
  /** It is the colour of the field, a little darker. */
  shade: string
  rim: string
  ink: string
  accent: string
}

/** These are lightness, chroma and hue (OKLCH) of sixteen fields: neighbours differ in all of them. */
const fields = [
  [0.42, 0.14, 20],
  [0.64, 0.19, 37],
  [0.78, 0.15, 72],
  [0.43, 0.08, 105],
  [0.8, 0.16, 125],
  [0.53, 0.13, 150],
  [0.33, 0.06, 168],
  [0.65, 0.11, 190],
  [0.77, 0.1, 225],
  [0.55, 0.16, 255],
  [0.32, 0.1, 268],
  [0.53, 0.19, 293],
  [0.35, 0.11, 325],
  [0.72, 0.15, 345],
  [0.82, 0.045, 80],
  [0.42, 0.025, 250],
] as const

/** The hue of the ink differs from that of the field by one of these. */
const inks = [0, 60, 150, 200, 290]
const accents = [40, 110, 180, 250, 320]

/** Returns the hue of a field, for things of the same wallet in another lightness. */
export const hueOf = (index: number): number => fields[index]![2]

export function coloursOf(index: number, random: Random): Colours {
  const [lightness, chroma, hue] = fields[index]!
  const bright = lightness > 0.6
  const inkHue = hue + inks[random(inks.length)]!
  const accentHue = hue + accents[random(accents.length)]!
  return {
    field: hex(lightness, chroma, hue),
    shade: hex(lightness + (bright ? -0.09 : 0.09), chroma, hue),
    rim: bright ? hex(0.34, chroma * 0.55, hue) : hex(0.88, chroma * 0.45, hue),
    ink: bright ? hex(0.28, 0.08, inkHue) : hex(0.94, 0.06, inkHue),
    accent: bright ? hex(0.5, 0.15, accentHue) : hex(0.8, 0.14, accentHue),
  }
}

/** Returns an OKLCH colour in sRGB, with less chroma when the screen cannot show it. */
function hex(lightness: number, chroma: number, hue: number): string {
  const radians = (hue * Math.PI) / 180
  const [a, b] = [chroma * Math.cos(radians), chroma * Math.sin(radians)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  if (linear.some((part) => part < -0.001 || part > 1.001) && chroma > 0.01)
    return hex(lightness, chroma - 0.01, hue)
  return `#${linear.map(channel).join('')}`
}

function channel(linear: number): string {
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
  return Math.round(Math.min(1, Math.max(0, value)) * 255)
    .toString(16)
    .padStart(2, '0')
}
