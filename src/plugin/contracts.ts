import type { CategoryPlugin } from './category-plugin.ts'
import type { ModulePlugin } from './module-plugin.ts'
import type { RepresentationPlugin } from './representation-plugin.ts'
import type { SignerPlugin } from './signer-plugin.ts'

export type * from './category-plugin.ts'
export type * from './module-plugin.ts'
export type * from './representation-plugin.ts'
export type * from './signer-plugin.ts'

/** Default export of a plugin module: one of these plain objects, or an array of them. */
export type Plugin = RepresentationPlugin | CategoryPlugin | SignerPlugin | ModulePlugin
