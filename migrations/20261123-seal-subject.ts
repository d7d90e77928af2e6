import { Migration } from '@mikro-orm/migrations'

/** What a seal is about. Seals that were made before do not say it; the passport is sealed again where one is needed. */
export default class SealSubject extends Migration {
  override name = 'seal-subject'

  override up(): void {
    this.addSql(`alter table seal add column subject json`)
  }
}
