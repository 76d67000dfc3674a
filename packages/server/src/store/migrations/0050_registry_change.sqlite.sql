-- One line for each row that a transaction changes. No statement changes a primary key.
create trigger app_inserted after insert on app
begin
  insert into registry_change (revision, kind, id)
  select value, 'app', new.name from revision where id = 1
  on conflict (revision, kind, id) do nothing;
end;

create trigger app_updated after update on app
begin
  insert into registry_change (revision, kind, id)
  select value, 'app', new.name from revision where id = 1
  on conflict (revision, kind, id) do nothing;
end;

create trigger app_deleted after delete on app
begin
  insert into registry_change (revision, kind, id)
  select value, 'app', old.name from revision where id = 1
  on conflict (revision, kind, id) do nothing;
end;

create trigger api_key_inserted after insert on api_key
begin
  insert into registry_change (revision, kind, id)
  select value, 'key', new.id from revision where id = 1
  on conflict (revision, kind, id) do nothing;
end;

create trigger api_key_updated after update on api_key
begin
  insert into registry_change (revision, kind, id)
  select value, 'key', new.id from revision where id = 1
  on conflict (revision, kind, id) do nothing;
end;

create trigger api_key_deleted after delete on api_key
begin
  insert into registry_change (revision, kind, id)
  select value, 'key', old.id from revision where id = 1
  on conflict (revision, kind, id) do nothing;
end;

create trigger project_binding_inserted after insert on project_binding
begin
  insert into registry_change (revision, kind, id)
  select value, 'binding', new.app from revision where id = 1
  on conflict (revision, kind, id) do nothing;
end;

create trigger project_binding_updated after update on project_binding
begin
  insert into registry_change (revision, kind, id)
  select value, 'binding', new.app from revision where id = 1
  on conflict (revision, kind, id) do nothing;
end;

create trigger project_binding_deleted after delete on project_binding
begin
  insert into registry_change (revision, kind, id)
  select value, 'binding', old.app from revision where id = 1
  on conflict (revision, kind, id) do nothing;
end;

create trigger budget_definition_inserted after insert on budget_definition
begin
  insert into registry_change (revision, kind, id)
  select value, 'budget', new.scope from revision where id = 1
  on conflict (revision, kind, id) do nothing;
end;

create trigger budget_definition_updated after update on budget_definition
begin
  insert into registry_change (revision, kind, id)
  select value, 'budget', new.scope from revision where id = 1
  on conflict (revision, kind, id) do nothing;
end;

create trigger budget_definition_deleted after delete on budget_definition
begin
  insert into registry_change (revision, kind, id)
  select value, 'budget', old.scope from revision where id = 1
  on conflict (revision, kind, id) do nothing;
end;
