"""Code that nobody uses: what no link leads to, what frameworks call by themselves, who may use it from outside."""
