class Query:
    def where(self):
        return self

    def limit(self):
        return self

Query().where().limit()
