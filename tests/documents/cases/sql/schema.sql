-- CREATE TABLE none (a int);
CREATE TABLE IF NOT EXISTS "public"."users" (
    id bigserial PRIMARY KEY,
    mail varchar(200) NOT NULL DEFAULT 'a,b); hunter2',
    price decimal(10, 2),
    tags text[] /* , fake int */,
    born timestamp with time zone NOT NULL,
    CONSTRAINT one UNIQUE (mail),
    PRIMARY KEY (id)
);
create table `orders` (`id` int unsigned not null auto_increment, KEY `x` (`id`));
ALTER TABLE ONLY users ADD COLUMN age int NOT NULL;
ALTER TABLE users ADD CONSTRAINT c CHECK (age > 0);
CREATE VIEW adults AS SELECT * FROM users;
CREATE TYPE mood AS ENUM ('sad', 'ok');
INSERT INTO users VALUES ('create table fake (a int)');
