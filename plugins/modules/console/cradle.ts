import type { ModuleCradle } from '../../../src/plugin/module.ts'
import type consoleEditor from './services/console-editor.ts'
import type consoleInput from './services/console-input.ts'
import type consoleOidc from './services/console-oidc.ts'
import type consolePages from './services/console-pages.ts'
import type consolePasskeys from './services/console-passkeys.ts'
import type consolePeople from './services/console-people.ts'
import type consoleSessions from './services/console-sessions.ts'
import type consoleSignIn from './services/console-sign-in.ts'
import type consoleSite from './services/console-site.ts'
import type consoleView from './services/console-view.ts'
import type { ConsoleSettings } from './settings.ts'

export interface Cradle extends ModuleCradle {
  consoleEditor: ReturnType<typeof consoleEditor>
  consoleSettings: ConsoleSettings | undefined
  consoleInput: ReturnType<typeof consoleInput>
  consoleOidc: ReturnType<typeof consoleOidc>
  consolePages: ReturnType<typeof consolePages>
  consolePasskeys: ReturnType<typeof consolePasskeys>
  consolePeople: ReturnType<typeof consolePeople>
  consoleSessions: ReturnType<typeof consoleSessions>
  consoleSignIn: ReturnType<typeof consoleSignIn>
  consoleSite: ReturnType<typeof consoleSite>
  consoleView: ReturnType<typeof consoleView>
}
