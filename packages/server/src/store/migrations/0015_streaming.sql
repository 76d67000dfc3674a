-- compatible from: 4
-- Whether an app's answers may be told as they come; null where it follows the configuration.

alter table app add column streaming bigint;
