/** Only pages that came by HTTPS may use a microphone. */
export const mayRecord = (): boolean =>
  'MediaRecorder' in globalThis && Boolean((navigator as { mediaDevices?: MediaDevices }).mediaDevices)
