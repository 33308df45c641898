"""Quality: measures of code, the findings made of them, gates over the findings, and reports in the forms people use."""
