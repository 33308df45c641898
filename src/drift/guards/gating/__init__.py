"""Gates over a change or a whole project: what each looks for, policies that set them, and one verdict."""
