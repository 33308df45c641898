class Session:
    async def send(self):
        pass

async def connect():
    return Session()

async def run():
    session = await connect()
    await session.send()
