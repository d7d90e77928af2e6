import { Migration } from '@mikro-orm/migrations'

/** What a batch relies on is asserted by the database, since nobody looks between its statements. */
export default class Batches extends Migration {
  override name = 'batches'

  override up(): void {
    this.addSql(`
      create function expect(is_met boolean, code text) returns void language plpgsql as $$
      begin
        if is_met is not true then
          raise exception 'what a batch relies on is not so' using errcode = code;
        end if;
      end $$`)
    this.repeatable()
  }

  /**
   * Whether a document may repeat the metadata as it is stored, see `isRepeatable`: lists are put together from texts. Older
   * passports are told by their names, which takes some for others that could be repeated.
   */
  private repeatable(): void {
    this.addSql(`alter table passport add column is_repeatable boolean not null default false`)
    this.addSql(`grant update (is_repeatable) on passport to dpp_app`)
    // Nobody sees a change, so that no version moves. Row-level security would hide the rows from their owner.
    this.addSql(`alter table passport no force row level security, disable trigger user`)
    this.addSql(`
      update passport set is_repeatable = true where json_typeof(metadata) = 'object' and metadata::text !~ '"@'
        and not exists (
          select from json_object_keys(metadata) as k (key)
          where key ~ '^[0-9]+$' or key in ('id', 'productId', 'digitalLinkUri', 'digitalSeal', 'signingPublicKey', 'status',
            'archivedAt', 'retentionUntil', 'proof', 'createdAt', 'updatedAt', 'economicOperator', 'manufacturingFacility',
            'metadata')
        )`)
    this.addSql(`alter table passport force row level security, enable trigger user`)
  }
}
