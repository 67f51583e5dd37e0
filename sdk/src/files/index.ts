export {
  type AttachedFile,
  fileNameOf,
  fileTypeOf,
  mostFiles,
  readFiles,
  type ReadFiles,
} from './attached.ts'
export { CannotOpenFile, mostFileBytes, sealedSizeOf } from './format.ts'
export { openFile, openRange, type ReadSealed } from './open.ts'
export { hashFile, newFileSecret, sealFile, type Sealing } from './seal.ts'
