import asyncio


async def load(rows, path, lock):
    connect("shop.db", mode="rw")
    total = sum(row.price() for row in rows)
    with lock, open(path) as source:
        text = source.read()
    for row in rows.ordered():
        row.save()
    await asyncio.sleep(0)
    fetch(url="https://shop.example")
    query = "SELECT * FROM items WHERE id = %s" % path
    other = "SELECT " + path + " FROM items"
    third = f"DELETE FROM {path}"
    fourth = "{} items".format(total)
    rows.sort(key=lambda row: row.name)
    return make(text)(query, other, third, fourth)


def guard(work, log):
    try:
        work()
    except KeyError as error:
        raise ValueError("no such key") from error
    except OSError as error:
        log.warning("failed: %s", error)
        raise
    except ValueError:
        pass
    except (TypeError, AttributeError) as problem:
        return str(problem)
    except:
        raise RuntimeError("lost")
