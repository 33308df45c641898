"""A view in XAML and its code behind are parts of one class, and bindings lead to the view model."""

import pytest
from relink_cases import KeptLinks

VIEW = """\
<Window x:Class="Shop.Cart" xmlns:x="x" xmlns:vm="clr-namespace:Shop.Models" xmlns:d="d"
        d:DataContext="{d:DesignInstance vm:CartModel}">
  <Window.Resources><vm:Money x:Key="Sum" /></Window.Resources>
  <TextBox x:Name="Search" Text="{Binding Filter.Word}" />
  <Button Click="OnPay" Content="{Binding Total, Converter={StaticResource Sum}}" />
</Window>
"""
CODE = """\
namespace Shop;
public partial class Cart : Window {
    void OnPay(object sender, EventArgs e) { Search.Clear(); var sum = Sum; }
}
"""
MODEL = """\
namespace Shop.Models;
public class CartModel { public Filter Filter { get; set; } public int Total { get; set; } }
public class Filter { public string Word { get; set; } }
public class Money { }
"""
PROJECT = {"Cart.xaml": VIEW, "Cart.xaml.cs": CODE, "Models.cs": MODEL}
CHANGES = [
    {"Cart.xaml": VIEW.replace("OnPay", "OnBuy")},
    {"Cart.xaml": VIEW.replace("Search", "Find")},
    {"Cart.xaml": ""},
    {"Cart.xaml.cs": CODE.replace("OnPay", "OnBuy")},
    {"Cart.xaml.cs": CODE.replace("namespace Shop", "namespace Other")},
    {"Models.cs": MODEL.replace("Word", "Text")},
]


def led_to(kept: KeptLinks, path: str) -> set[str]:
    """What calls and references of a file lead to, as `file:Class.member`."""
    calls, references = kept.links[path][2:4]
    targets = [each for call in calls for each in call[1]] + [each for one in references for each in one[0]]
    return {":".join(place) for place, _confidence, _reason in targets}


def test_markup_calls_the_code_behind_and_binds_to_the_view_model():
    assert led_to(KeptLinks(PROJECT), "Cart.xaml") == {
        "Cart.xaml.cs:Cart.OnPay",
        "Models.cs:Money",
        "Models.cs:CartModel",
        "Models.cs:CartModel.Filter",
        "Models.cs:Filter.Word",
        "Models.cs:CartModel.Total",
        "Cart.xaml:Sum",
    }


def test_the_code_behind_has_the_named_elements_and_no_resources():
    assert led_to(KeptLinks(PROJECT), "Cart.xaml.cs") == {"Cart.xaml:Cart.Search"}


def test_a_name_of_the_class_means_the_code_and_not_the_markup():
    user = "namespace Shop; class App { Cart open; }"

    assert led_to(KeptLinks({**PROJECT, "App.cs": user}), "App.cs") == {"Cart.xaml.cs:Cart"}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_either_part_is_followed(change):
    kept = KeptLinks(PROJECT)
    after = {**PROJECT, **change}

    kept.change_to(after)

    assert kept.links == KeptLinks(after).links
    assert kept.links != KeptLinks(PROJECT).links
