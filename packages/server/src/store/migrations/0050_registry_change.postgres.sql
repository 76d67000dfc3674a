-- One line for each row that a transaction changes. No statement changes a primary key.
create function note_registry_change() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  insert into registry_change (revision, kind, id)
  select value, tg_argv[0], changed ->> tg_argv[1] from revision where id = 1
  on conflict (revision, kind, id) do nothing;
  return null;
end
$$;

create trigger app_changed after insert or update or delete on app
  for each row execute function note_registry_change('app', 'name');

create trigger api_key_changed after insert or update or delete on api_key
  for each row execute function note_registry_change('key', 'id');

create trigger project_binding_changed after insert or update or delete on project_binding
  for each row execute function note_registry_change('binding', 'app');

create trigger budget_definition_changed after insert or update or delete on budget_definition
  for each row execute function note_registry_change('budget', 'scope');
