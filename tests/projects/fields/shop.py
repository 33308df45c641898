from dataclasses import dataclass
from pydantic import BaseModel, Field
class Item(BaseModel):
    name: str
    note: str | None = None
    price: int = Field(alias="priceCents")
@dataclass
class D:
    a: int
    b: list[str] | None = None
class M(models.Model):
    title = models.CharField(max_length=10, null=True, db_column="ttl")
    owner = models.ForeignKey(User, on_delete=models.CASCADE)
class S(Base):
    id: Mapped[int] = mapped_column("item_id", primary_key=True)
    old = Column("old_name", String, nullable=True)
