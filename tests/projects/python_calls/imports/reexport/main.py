from pkg import Tool

Tool().use()
