-- compatible from: 4
-- What happens to calls of models without a price; null where the app follows the configuration.
-- `require_priced` says the same to the version before, as far as that knows it.

alter table app add column unpriced text;

-- The names under which usage shows models that no catalog row names: callers choose them, so each
-- day has a limited number of them.

create table usage_name (
  day text not null,
  model text not null,
  primary key (day, model)
);
