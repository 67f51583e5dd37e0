// How far the uploads of this browser are. Nothing is uploaded yet.

interface Progress {
  state: 'preparing' | 'uploading' | 'waiting' | 'paused' | 'failed'
  /** It is from 0 to 1. */
  part: number
}

export function useProgress(_key: string): Progress | undefined {
  return undefined
}

export function pauseUpload(_key: string): void {}
export function resumeUpload(_key: string): void {}
export function cancelUpload(_key: string): void {}
