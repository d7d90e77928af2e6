import { Migration } from '@mikro-orm/migrations'

/** What kind of document a medium is, in which language, and whom it is for. */
export default class Documents extends Migration {
  override name = 'documents'

  override up(): void {
    // An empty audience is everybody. What is there already has always been for everybody.
    this.addSql(`
      alter table media add column document_type text, add column language text,
        add column audience text[] not null default '{}' check (audience <@ array['legitimateInterest', 'authority']),
        add check (kind = 'document' or (document_type is null and language is null and audience = '{}'))`)
    // What resolves for everybody cannot even read the bytes of what is for some.
    this.addSql(`grant select (audience) on media to dpp_lookup`)
    for (const table of ['media_file', 'media_piece']) {
      this.addSql(`drop policy ${table}_lookup on ${table}`)
      this.addSql(`create policy ${table}_lookup on ${table} for select to dpp_lookup
        using (exists (select from media m where m.id = media_id and m.audience = '{}'))`)
    }
  }
}
