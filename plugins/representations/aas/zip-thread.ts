import { serveThread } from '../../../src/plugin/thread.ts'
import { zipped } from './zip.ts'

serveThread(zipped)
