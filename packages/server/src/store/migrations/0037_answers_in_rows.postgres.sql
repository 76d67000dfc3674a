-- compatible from: 4
-- An answer of up to half a page lies in its row. Beyond 2 kB it was cut into pieces in a table of
-- their own, each with an entry in an index. Rows that are there stay as they are; no row is read
-- or written here.

alter table result set (toast_tuple_target = 4080);
