import type { EntityClass, EntitySchema } from '@mikro-orm/core'

/** MikroORM entity, made by `defineEntity`. */
export type EntityDescription = EntitySchema | EntityClass

/** Columns as returned by a statement: null instead of undefined. */
export type Row<Entity, Column extends keyof Entity> = {
  readonly [Name in Column]: Exclude<Entity[Name], undefined>
}
