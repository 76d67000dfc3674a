-- A version before enables a key without a word of who had disabled it: when that version disables
-- it again, the row must not name the former.
create function api_key_forgets_disabler() returns trigger language plpgsql as $$
begin
  new.disabled_by := null;
  new.disabled_role := null;
  return new;
end
$$;

create trigger api_key_is_enabled before update on api_key
  for each row when (new.enabled = 1 and new.disabled_role is not null)
  execute function api_key_forgets_disabler();
