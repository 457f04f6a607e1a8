-- oldest program: 0.2.0
-- Requests of the publisher's API in sums by hour, key, operation and result, stored for seven days
-- (docs/adr/0064-request-counts.md).

-- code: error code, or empty for an accepted request. hour: start of the hour in which the requests were saved.
create table request_count (
  publisher_id text collate "C" not null,
  hour timestamptz not null,
  key_id text collate "C" not null,
  method text collate "C" not null check (length(method) between 1 and 10),
  route text collate "C" not null check (length(route) between 1 and 200),
  status smallint not null check (status between 100 and 599),
  code text collate "C" not null check (length(code) <= 64),
  times bigint not null check (times > 0),
  last_at timestamptz not null,
  primary key (publisher_id, hour, key_id, method, route, status, code)
);
select distribute_by_publisher('request_count');
alter table request_count add foreign key (publisher_id) references publisher;
