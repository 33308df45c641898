<?php
// Reads of the environment and of settings in PHP.
$url = env('SHOP_URL', 'http://localhost');
$mode = getenv('SHOP_MODE');
$key = $_ENV['SHOP_KEY'];
$host = $_SERVER['SHOP_HOST'];
$limit = config('shop.limit', 5);
$name = Config::get('app.name');
