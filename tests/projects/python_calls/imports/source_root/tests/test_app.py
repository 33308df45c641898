from app.core import run

run()
