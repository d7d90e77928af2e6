/** Columns of a table as a statement returns them: null for an absent value, never undefined. */
export type Row<Entity, Column extends keyof Entity> = {
  readonly [Name in Column]: Exclude<Entity[Name], undefined>
}
