import { Migration } from '@mikro-orm/migrations'

/** Renditions of binary formats, such as AASX, and seals that are found by what they sign. */
export default class Aas extends Migration {
  override name = 'aas'

  override up(): void {
    // Text stays text, which the driver hands over without decoding; a rendition has one of the two.
    this.addSql(`alter table rendition alter column body drop not null`)
    this.addSql(`alter table rendition add column bytes bytea`)
    this.addSql(`alter table rendition add check ((body is null) <> (bytes is null))`)
    this.addSql(`alter table rendition alter column bytes set storage external`)
    this.addSql(`create index on seal (tenant_id, merkle_root)`)
  }
}
