export { isAtService, serviceHost } from '../../service/host.ts'
