-- compatible from: 4
-- Tokens of images, of sound and of reasoning may have their own prices: rates as JSON, of the
-- price and of its first step, and the counts of an attempt that was booked with them.
alter table price add column parts text;
alter table price add column long_context_parts text;
alter table attempt add column token_parts text;
