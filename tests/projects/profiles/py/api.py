import asyncio
import time

import requests
from fastapi import APIRouter, FastAPI

app = FastAPI()
router = APIRouter(prefix="/orders")


@router.get("/{order_id}")
async def read_order(order_id: int):
    time.sleep(1)
    await asyncio.sleep(1)
    return load(order_id)


def load(order_id: int):
    return requests.get(f"http://orders/{order_id}")


@router.post("/")
async def write_order():
    def later():
        time.sleep(2)

    await asyncio.to_thread(later)
    try:
        await asyncio.sleep(0)
    except:
        pass
    try:
        return 1
    except Exception:
        pass


app.include_router(router)
