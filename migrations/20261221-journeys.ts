import { Migration } from '@mikro-orm/migrations'

/** How a product came to be, as its owner has published it: it is shown with the passport, and no seal covers it. */
export default class Journeys extends Migration {
  override name = 'journeys'

  override up(): void {
    this.addSql(`alter table passport add column journey json`)
    this.addSql(`grant update (journey) on passport to dpp_app`)
  }
}
