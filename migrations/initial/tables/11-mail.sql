-- Daily budget of mails per address.

create table mail_count (
  address_hash bytea not null,
  day date not null,
  total int not null,
  primary key (day, address_hash)
);
