-- compatible from: 4
-- Tags of an app as JSON, that reports are split by; null without any.

alter table app add column tags text;
