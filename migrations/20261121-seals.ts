import { Migration } from '@mikro-orm/migrations'

/** Certificates of seal keys, timestamps of seals, and the way from a seal back to the workspace that made it. */
export default class Seals extends Migration {
  override name = 'seals'

  override up(): void {
    // Base64 of the DER form, as in `x5c`. Absent on keys that are older than the seal CA, until they seal again.
    this.addSql(`alter table tenant_key add column certificate text`)
    this.addSql(`alter table node_key add column certificate text`)
    // What the proof showed when the seal was made; a later certificate does not change it.
    this.addSql(`alter table seal add column x5c json, add column rfc3161 json`)

    // Whoever submits a seal to be verified names no workspace; the fingerprint of a public key does.
    this.addSql(`grant select (fingerprint) on tenant_key to dpp_lookup`)
  }
}
