"""What methods run that MapStruct writes: accessors of one name on both sides, and the mappings of other mappers."""

from typed_cases import Linked

SHOP = """package shop;
class Base { private Long id; public Long getId() { return id; } public void setId(Long id) {} }
class Item { private String name; public String getName() { return name; } public void setName(String n) {} }
class ItemDto { private String name; public String getName() { return name; } public void setName(String n) {} }
class Cart extends Base {
  private Item item; private String note; private int spare;
  public Cart() {}
  public Cart(Long id) {}
  public Item getItem() { return item; }
  public void setItem(Item item) {}
  public String getNote() { return note; }
  public void setNote(String note) {}
  public int getSpare() { return spare; }
}
class CartDto {
  private Long id; private ItemDto item; private String title;
  public Long getId() { return id; }
  public void setId(Long id) {}
  public ItemDto getItem() { return item; }
  public void setItem(ItemDto item) {}
  public void setTitle(String title) {}
}
record Line(String note) {}
"""
MAPPERS = """package shop;
import java.util.List;
import org.mapstruct.Mapper;
import org.mapstruct.Mapping;
@Mapper(uses = {Items.class})
interface Carts {
  @Mapping(target = "title", source = "cart.item.name")
  @Mapping(target = "id", ignore = true)
  CartDto toDto(Cart cart);
  List<CartDto> toDtos(List<Cart> carts);
  void update(@MappingTarget Cart cart, CartDto dto);
  Line toLine(Cart cart);
}
@Mapper interface Items { ItemDto toDto(Item item); }
"""


def run_by(method: str, mappers: str = MAPPERS) -> list[str]:
    found = Linked("java", (".java",), {"shop/Shop.java": SHOP, "shop/Carts.java": mappers})
    facts, links = found.facts["shop/Carts.java"], found.links["shop/Carts.java"]
    return [
        found.name(target.place).partition(":")[2]
        for number, link in links.implicit
        if facts.symbols[facts.accesses[number].scope].name == method
        for target in link.targets
    ]


def test_a_mapper_reads_and_sets_the_members_of_one_name_and_those_that_are_named():
    found = run_by("toDto")

    assert found[: found.index("ItemDto.setName")] == [
        "CartDto.setItem", "Cart.getItem", "Items.toDto", "CartDto.setTitle", "Item.getName",
    ]  # fmt: skip


def test_a_mapping_of_a_list_runs_that_of_an_element():
    assert run_by("toDtos") == ["Carts.toDto"]


def test_what_is_updated_is_not_made():
    found = run_by("update")

    assert "Cart.setItem" in found
    assert "Base.setId" in found
    assert "Cart.Cart" not in found
    assert "Cart.setNote" not in found


def test_a_record_is_made_by_its_constructor():
    assert run_by("toLine") == ["Line.Line", "Cart.getNote"]


def test_a_mapper_of_another_tool_is_none():
    assert run_by("toDto", MAPPERS.replace("org.mapstruct", "org.apache.ibatis.annotations")) == []
