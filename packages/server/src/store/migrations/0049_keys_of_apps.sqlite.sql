-- A version before enables a key without a word of who had disabled it: when that version disables
-- it again, the row must not name the former.
create trigger api_key_is_enabled after update of enabled on api_key
when new.enabled = 1 and new.disabled_role is not null
begin
  update api_key set disabled_by = null, disabled_role = null where id = new.id;
end;
