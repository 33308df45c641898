-- What a memory's row and its links held when they were written: what reads otherwise later is damaged.
ALTER TABLE memories ADD COLUMN digest BLOB;
