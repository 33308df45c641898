-- What a row held when it was written: what reads otherwise later is damaged and not told.
ALTER TABLE audit ADD COLUMN digest BLOB;
ALTER TABLE usage ADD COLUMN digest BLOB;
ALTER TABLE feedback ADD COLUMN digest BLOB;
