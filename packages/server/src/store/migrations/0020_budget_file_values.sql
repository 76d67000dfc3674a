-- compatible from: 4
-- What the file said last of a budget: only what it says otherwise is set by a start.

alter table budget_definition add column file_values text;
