-- oldest program: 0.2.0
-- A number for each payout and a reference for each of its lines, by which files of banks and payment providers are matched
-- (docs/adr/0076-references-of-lines.md).
--
-- A publisher has one line for each payment to a creator. These are few enough for statements that lock the tables for seconds.
-- squawk-ignore-file adding-not-nullable-field, require-concurrent-index-creation
-- squawk-ignore-file constraint-missing-not-valid

-- The last number that a publisher's payout got.
create table payout_number (
  publisher_id text collate "C" not null,
  last_number bigint not null check (last_number between 1001 and 99999999),
  primary key (publisher_id)
);
select distribute_by_publisher('payout_number');
alter table payout_number add foreign key (publisher_id) references publisher;

-- Numbers start at 1001, so that all numbers of a publisher have the same length for years.
alter table payout_batch add column number bigint;
update payout_batch b
set number = n.number
from (
  select publisher_id, batch_id,
         1000 + row_number() over (partition by publisher_id order by created_at, batch_id) as number
  from payout_batch
) n
where n.publisher_id = b.publisher_id and n.batch_id = b.batch_id;
insert into payout_number (publisher_id, last_number)
select publisher_id, max(number) from payout_batch group by publisher_id;
alter table payout_batch alter column number set not null;
alter table payout_batch add constraint payout_batch_number check (number between 1001 and 99999999);
create unique index payout_batch_by_number on payout_batch (publisher_id, number);

-- The payout's number, a dash, and the line's number in the order of memberships: 1042-00017. Every provider's file has room for
-- fifteen characters.
alter table payout_item add column reference text collate "C";
grant update on payout_item to current_user;
update payout_item i
set reference = n.number || '-' || case when n.line > 99999 then n.line::text else lpad(n.line::text, 5, '0') end
from (
  select i.publisher_id, i.item_id, b.number,
         row_number() over (partition by i.publisher_id, i.batch_id order by i.membership_id) as line
  from payout_item i
  join payout_batch b on b.publisher_id = i.publisher_id and b.batch_id = i.batch_id
) n
where n.publisher_id = i.publisher_id and n.item_id = i.item_id;
revoke update on payout_item from current_user;
alter table payout_item alter column reference set not null;
alter table payout_item
  add constraint payout_item_reference check (reference ~ '^[0-9]{4,8}-[0-9]{5,}$' and length(reference) <= 15);
create unique index payout_item_by_reference on payout_item (publisher_id, reference);

revoke delete, truncate on payout_number from current_user;
