"""Names that mean something in XAML."""

from typing import Final

# Attributes that are events end in one of these words; with a plain name as value they name a handler.
EVENT_ENDINGS: Final = (
    "Activated", "CanExecute", "Changed", "Changing", "Checked", "Click", "Closed", "Closing", "Collapsed",
    "Completed", "Deactivated", "Down", "Drop", "Enter", "Executed", "Exit", "Expanded", "Failed", "Filter",
    "Focus", "Generated", "GeneratingColumn", "Initialized", "Input", "Leave", "Loaded", "Move", "Navigate",
    "Navigated", "Navigating", "Opened", "Opening", "Over", "Rendered", "Scroll", "Selected", "Sorting", "Startup",
    "Tapped", "Tick", "Unchecked", "UnhandledException", "Unloaded", "Unselected", "Up", "Updated", "Wheel",
)  # fmt: skip
# Properties that end like an event.
NO_EVENTS: Final = frozenset({"IsFocusScope", "Focus", "PopupAnimation", "ToolTip.Opened"})
TEXT_ATTRIBUTES: Final = frozenset({"Content", "Header", "Text", "Title", "ToolTip"})
BINDINGS: Final = frozenset({"Binding", "CompiledBinding", "TemplateBinding", "x:Bind"})
RESOURCES: Final = frozenset({"DynamicResource", "StaticResource"})
TYPE_NAMES: Final = frozenset({"d:DesignInstance", "x:Type"})
CODE_NAMESPACES: Final = ("clr-namespace:", "using:")
