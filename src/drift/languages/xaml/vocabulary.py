"""Names that mean something in XAML."""

from typing import Final

# Attributes that are events end in one of these words; with a plain name as value they name a handler.
EVENT_ENDINGS: Final = (
    "Activated", "Appearing", "CanExecute", "Changed", "Changing", "Checked", "Click", "Clicked", "Closed", "Closing",
    "Collapsed", "Completed", "Deactivated", "Disappearing", "DoubleTapped", "Down", "Drop", "Enter", "Executed", "Exit", "Expanded", "Failed", "Filter",
    "Focus", "Generated", "GeneratingColumn", "Initialized", "Input", "Leave", "Loaded", "Move", "Navigate",
    "Navigated", "Navigating", "Opened", "Opening", "Over", "Pressed", "Refreshing", "Released", "Rendered", "Scroll", "Selected", "Sorting", "Startup",
    "Swiped", "Tapped", "Tick", "Toggled", "Unchecked", "UnhandledException", "Unloaded", "Unselected", "Up", "Updated", "Wheel",
)  # fmt: skip
# Properties that end like an event.
NO_EVENTS: Final = frozenset({"IsFocusScope", "Focus", "PopupAnimation", "ToolTip.Opened"})
NO_EVENT_BEGINNINGS: Final = ("Has", "Is")
TRUTHS: Final = frozenset({"False", "True", "false", "true"})
TEXT_ATTRIBUTES: Final = frozenset({"Content", "Header", "Text", "Title", "ToolTip"})
BINDINGS: Final = frozenset({"Binding", "CompiledBinding", "ReflectionBinding", "TemplateBinding", "x:Bind"})
RESOURCES: Final = frozenset({"DynamicResource", "StaticResource"})
TYPE_NAMES: Final = frozenset({"d:DesignInstance", "x:Type"})
CODE_NAMESPACES: Final = ("clr-namespace:", "using:")
NAMES: Final = ("x:Name", "Name")
CLASSES: Final = ("Classes", "StyleClass", "class")
"""What elements are styled by, in Avalonia and MAUI."""
CONTEXTS: Final = frozenset({"BindingContext", "DataContext"})
CONTEXT_TYPES: Final = ("d:DataContext", "x:DataType", "DataType")
TEMPLATE: Final = "Template"
"""How elements end whose bindings are of an item of the list that they show."""
COLUMN: Final = "Column"
COLUMN_BINDING: Final = "Binding"
"""How elements and their attributes end that are of an item, too: `DataGridTextColumn.Binding`, but not its header."""
STYLES: Final = frozenset({"ControlTemplate", "ControlTheme", "ItemsPanelTemplate", "Style"})
"""Elements whose bindings are of whatever they are applied to."""
NOT_SAID: Final = "?"
"""The type of a context that markup changes without saying to what. Where it says a path, that follows the type around:
`vm:Cart/Owner` for the member, `vm:Cart[Lines]` for one of its elements."""
KEPT_VALUES: Final = (
    "AutomationProperties.", "SemanticProperties.", "Style", "TargetType", "d:DataContext", "x:Class", "x:DataType",
    "x:Key",
)  # fmt: skip
"""Attributes, or their beginnings, of which the value is kept."""
