-- oldest program: 0.2.0
-- What an erasure needs to find all data of a buyer (docs/adr/0095-erasure.md).

-- Buyer whom an update of a purchase replaced by another player id. The row still has the name and metrics of the first buyer,
-- so they can be found by that buyer's id.
create table former_buyer (
  publisher_id text collate "C" not null,
  attribution_id uuid not null,
  player_id text collate "C" not null,
  primary key (publisher_id, attribution_id)
);
select distribute_by_publisher('former_buyer');
alter table former_buyer add foreign key (publisher_id) references publisher;

-- Progress of forgetting buyers with their metrics: purchases with lower ids have none. Version 0.1.0 forgot ids and names only,
-- so purchases that it had processed are processed once more.
alter table buyer_forgetting add column metrics_forgotten_before uuid;
