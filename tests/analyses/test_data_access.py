"""Where data lives and who reaches it: each line that reaches data says so behind `=>`."""

import re

import pytest

from drift.analyses.data_access import find_data, read_sql
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

FILES = {
    "shop/models.py": """from django.db import models
class Stamped(models.Model):
    created = models.DateTimeField()
class Customer(Stamped):
    email = models.EmailField()
    class Meta:
        db_table = "clients"
class Order(Stamped):
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE)
""",
    "shop/views.py": """from django.db import connection
from django.shortcuts import get_object_or_404
from shop.models import Customer, Order
CACHE = {}
def show(request, key):
    found = Order.objects.filter(customer__email=key).order_by("created").first()  # => read shop_order
    if CACHE.get(key):
        return None
    # Not a chain. Read the text.
    found.delete()  # => delete shop_order
    Customer.objects.update_or_create(email=key)  # => write clients
    return get_object_or_404(Customer, pk=key)  # => read clients
def raw(name):
    with connection.cursor() as cursor:
        cursor.execute("SELECT email FROM clients WHERE id = %s", [name])  # => read clients
        cursor.execute(f"DELETE FROM {name}")  # => delete ?
    print("select a file from the list")
""",
    "alchemy/db.py": """from sqlalchemy import Column, Integer, String, select, delete, text
from sqlalchemy.orm import DeclarativeBase, Session
class Base(DeclarativeBase):
    pass
class Account(Base):
    __tablename__ = "accounts"
    id = Column(Integer)
    password_hash = Column(String)
def load(session: Session, key):
    one = session.get(Account, key)  # => read accounts
    session.add(Account(id=key))  # => write accounts
    rows = session.execute(select(Account).where(Account.id == key))  # => read accounts
    session.query(Account).filter_by(id=key).update({"id": 2})  # => write accounts
    session.execute(text("UPDATE accounts SET id = 3 WHERE id = 4"))  # => write accounts
    return one, rows
""",
    "small/pw.py": """import peewee
class Note(peewee.Model):
    body = peewee.TextField()
def notes():
    Note.create(body="x")  # => write note
    return Note.select().where(Note.body == "x")  # => read note
""",
    "node/prisma/schema.prisma": """model User {
  id    Int    @id
  email String
}
""",
    "node/src/prisma.ts": """import { PrismaClient } from '@prisma/client';
const prisma = new PrismaClient();
export async function find(email: string) {
  const user = await prisma.user.findMany({ where: { email } }); // => read User
  await prisma.user.delete({ where: { id: 1 } }); // => delete User
  return user;
}
""",
    "node/src/entity.ts": """import { Column, Entity, Repository, getRepository } from 'typeorm';
@Entity('people')
export class Person { @Column() name: string; }
export class People {
  constructor(private readonly people: Repository<Person>) {}
  async all() {
    const found = await this.people.find({ name: 'x' }); // => read people
    await getRepository(Person).createQueryBuilder('p').where('p.id = 1').getMany(); // => read people
    return found.map((one) => one.name);
  }
  async drop() { return this.people.delete(1); } // => delete people
}
""",
    "node/src/others.js": """const mongoose = require('mongoose');
const { Sequelize, Model } = require('sequelize');
const knex = require('knex')({});
class Invoice extends Model {}
async function all() {
  await Invoice.findAll({ where: { id: 1 } }); // => read Invoices
  await Invoice.destroy({ where: { id: 1 } }); // => delete Invoices
  await knex('orders').where({ id: 1 }).update({ total: 2 }); // => write orders
  return knex.select('*').from('orders'); // => read orders
}
const Cat = mongoose.model('Cat', {});
async function cats() {
  return Cat.find({ name: 'x' }); // => read cats
}
""",
    "node/src/drizzle.ts": """import { pgTable, text } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/node-postgres';
export const members = pgTable('club_members', { name: text('name') });
const db = drizzle('x');
export async function list() {
  await db.insert(members).values({ name: 'a' }); // => write club_members
  return db.select().from(members); // => read club_members
}
""",
    "app/Models/Song.php": """<?php
namespace App\\Models;
use Illuminate\\Database\\Eloquent\\Model;
class Song extends Model {
    protected $fillable = ['title', 'owner_email'];
    public function parts() { return $this->hasMany(Song::class)->orderBy('title'); }
}
""",
    "database/migrations/1_songs.php": """<?php
Schema::create('songs', function (Blueprint $table) {
    $table->id();
    $table->string('lyrics')->nullable();
    $table->index('title');
});
""",
    "database/migrations/2_nothing.php": "<?php\n",
    "app/Http/SongController.php": """<?php
namespace App\\Http;
use App\\Models\\Song;
use Illuminate\\Support\\Facades\\DB;
class SongController {
    public function index() {
        $song = Song::query()->where('title', 'x')->first(); // => read songs
        $song->save(); // => write songs
        DB::table('plays')->where('id', 1)->delete(); // => delete plays
        return DB::select('SELECT * FROM plays WHERE id = ?', [1]); // => read plays
    }
    public function pdo(\\PDO $pdo) {
        $pdo->query("SELECT id FROM legacy"); // => read legacy
    }
}
""",
    "app/Entity/Book.php": """<?php
namespace App\\Entity;
use Doctrine\\ORM\\Mapping as ORM;
use Doctrine\\ORM\\EntityManagerInterface;
#[ORM\\Entity]
#[ORM\\Table(name: 'library_books')]
class Book { #[ORM\\Column] private string $title; }
class Shelf {
    public function __construct(private EntityManagerInterface $em) {}
    public function put(Book $book) {
        $this->em->persist($book); // => write library_books
        return $this->em->getRepository(Book::class)->findOneBy(['title' => 'x']); // => read library_books
    }
}
""",
    "java/Owner.java": """package shop;
import jakarta.persistence.*;
@Entity
@Table(name = "owners")
public class Owner { @Id private Integer id; private String telephone; }
""",
    "java/OwnerRepository.java": """package shop;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
public interface OwnerRepository extends JpaRepository<Owner, Integer> {
    java.util.List<Owner> findByTelephone(String telephone);
    @Query("SELECT o FROM Owner o WHERE o.telephone = :t")
    Owner look(String t);
}
""",
    "java/OwnerService.java": """package shop;
import org.springframework.jdbc.core.JdbcTemplate;
public class OwnerService {
    private final OwnerRepository owners;
    private final JdbcTemplate jdbcTemplate;
    OwnerService(OwnerRepository owners, JdbcTemplate jdbcTemplate) { this.owners = owners; this.jdbcTemplate = jdbcTemplate; }
    void change(Owner owner) {
        this.owners.save(owner); // => write owners
        owners.findByTelephone("1"); // => read owners
        owners.look("2"); // => read owners
        jdbcTemplate.update("DELETE FROM visits WHERE id = ?", 3); // => delete visits
    }
}
""",
    "java/VisitMapper.java": """package shop;
import org.apache.ibatis.annotations.*;
@Mapper
public interface VisitMapper {
    @Select("SELECT * FROM visits WHERE pet_id = #{id}") // => read visits
    Object one(int id);
}
""",
    "net/Shop.cs": """using Microsoft.EntityFrameworkCore;
using Dapper;
public class Item { public int Id { get; set; } public string Name { get; set; } }
public class Basket { public List<Item> Items { get; set; } public int Sum() { return Items.Sum(i => i.Id); } }
public class ShopContext : DbContext { public DbSet<Item> Items { get; set; } }
public class ItemService {
    private readonly ShopContext _context;
    public async Task<Item> Find(int id, IDbConnection connection) {
        _context.Items.Add(new Item()); // => write Items
        await connection.QueryAsync<Item>("SELECT Name FROM Items WHERE Id = 1"); // => read Items
        return await _context.Items.FirstOrDefaultAsync(i => i.Id == id); // => read Items
    }
}
""",
    "goshop/go.mod": "module example.com/goshop\n\ngo 1.22\n\nrequire gorm.io/gorm v1.25.0\n",
    "goshop/store.go": """package goshop

import (
	"database/sql"

	"gorm.io/gorm"
)

type Product struct {
	gorm.Model
	Code string
}

func (Product) TableName() string { return "goods" }

type Tag struct{ Name string }

func Load(db *gorm.DB, plain *sql.DB) error {
	var product Product
	db.Where("code = ?", "x").First(&product) // => read goods
	db.Create(&Tag{Name: "x"}) // => write tags
	query := "UPDATE goods SET code = 1 WHERE id = 2"
	_, err := plain.Exec(query) // => write goods
	return err
}
""",
    "rails/app/models/story.rb": """class ApplicationRecord < ActiveRecord::Base
end
class Story < ApplicationRecord
  def self.recent
    where(hidden: false).order(:id) # => read stories
  end
end
class Cleaner
  def run
    Story.where(old: true).delete_all # => delete stories
  end
end
""",
    "rust/Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\n\n[dependencies]\nsqlx = "0.7"\n',
    "rust/src/main.rs": """use sqlx::PgPool;
async fn load(pool: &PgPool) {
    sqlx::query("SELECT id FROM parcels WHERE id = $1").bind(1).fetch_one(pool).await; // => read parcels
}
fn main() {}
""",
    "cpp/store.cpp": """#include <sqlite3.h>
void save(sqlite3 *db) {
    sqlite3_exec(db, "INSERT INTO blobs (name) VALUES ('x')", 0, 0, 0); // => write blobs
}
""",
}  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        return find_data(reader, root)


def _expected(text):
    for number, line in enumerate(text.splitlines(), 1):
        for operation, table in re.findall(r"=> (\w+) (\S+)", line):
            yield number, operation, None if table == "?" else table


@pytest.mark.parametrize("path", [path for path, text in FILES.items() if "=>" in text and "." in path])
def test_every_access_is_found_and_nothing_else(data, path):
    found = {(one.line, one.operation, one.table) for one in data.points if one.file == path}

    assert found == set(_expected(FILES[path]))


def test_models_have_their_tables_and_fields(data):
    models = {one.name: one for one in data.models}

    assert [one.name for one in models["Customer"].fields] == ["created", "email"]
    assert (models["Order"].table, models["Order"].framework) == ("shop_order", "django")
    assert {one.name for one in models["Song"].fields} == {"title", "owner_email", "lyrics"}
    assert [one.name for one in models["User"].fields] == ["id", "email"]


def test_an_access_says_by_which_fields_and_whether_it_is_raw(data):
    at = {(one.file, one.line): one for one in data.points}

    assert at["shop/views.py", 6].fields == ("customer", "created")
    assert (at["shop/views.py", 15].is_raw_sql, at["shop/views.py", 15].fields) == (True, ("email", "id"))
    assert at["java/OwnerService.java", 10].is_raw_sql
    assert not at["java/OwnerService.java", 8].is_raw_sql


@pytest.mark.parametrize(
    ("text", "touched"),
    [
        (
            'SELECT u.id, count(*) FROM "users" u JOIN orders o ON o.user_id = u.id',
            [("users", "read"), ("orders", "read")],
        ),
        (
            "WITH old AS (SELECT * FROM logs) DELETE FROM logs USING old",
            [("logs", "read"), ("logs", "delete")],
        ),
        ("insert into a.b (x, y) select x, y from c", [("b", "write"), ("c", "read")]),
        ("SELECT EXTRACT(year FROM made) FROM events, logs", [("events", "read"), ("logs", "read")]),
        ("CREATE TABLE IF NOT EXISTS t (id int)", [("t", "schema")]),
        ("TRUNCATE t", [("t", "delete")]),
        ("SELECT * FROM information_schema.tables", []),
        ("select a file from the list", []),
        ("Update the user and set a name", []),
        ("delete from the cart", []),
        ("SELECT", []),
        ("'" * 30_000, []),
    ],
)
def test_sql_is_told_from_sentences(text, touched):
    assert [(one.table, one.operation) for one in read_sql(text)] == touched
