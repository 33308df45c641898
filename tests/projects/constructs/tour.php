<?php
function load(array $rows, string $path) {
    connect("shop.db", mode: "rw");
    $total = sum($rows);
    foreach (ordered($rows) as $row) {
        $row->save();
    }
    $query = "SELECT * FROM items WHERE id = {$path}";
    $other = "SELECT " . $path . " FROM items";
    $third = sprintf("%d items", $total);
    $rows = array_map(fn ($row) => Shop::price($row), $rows);
    $client = new Client("https://shop.example");
    @unlink($path);
    return make($query, $other, $third, (int) $total);
}

function guard(callable $work) {
    try {
        $work();
    } catch (IOException $error) {
        throw new Problem("lost", 0, $error);
    } catch (RuntimeException $error) {
        $this->logger->error("failed", ["error" => $error]);
        throw $error;
    } catch (Exception) {
        return null;
    }
}
