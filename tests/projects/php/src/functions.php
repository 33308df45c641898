<?php

namespace Shop\Support;

require_once __DIR__ . '/bootstrap.php';
include 'legacy.php';

define('SHOP_VERSION', '2.4.1');

/** Half to even, as accountants do. */
function round_half_even(Money $amount, int $digits = 2): Money
{
    static $calls = 0;
    global $settings;
    $calls += 1;

    return $amount->round($digits, mode: PHP_ROUND_HALF_EVEN);
}

function &reference(array &$items): array
{
    return $items;
}

function configure(): array
{
    // TODO: read the file as well
    return [
        'host' => getenv('SHOP_HOST') ?: 'localhost',
        'port' => env('SHOP_PORT', 8080),
        'key' => $_ENV['SHOP_KEY'] ?? null,
        'list' => [1, 2, 3],
    ];
}

function callables(Registry $registry): void
{
    $twice = fn(int $x): int => $x * 2;
    $add = function (int $x) use ($registry, &$twice): int {
        return $registry->add($twice($x));
    };
    array_map('trim', [' a ']);
    array_map(trim(...), [' b ']);
    usort($items, [Sorter::class, 'compare']);
    $registry->on('saved', $registry->save(...));
    $add(3);
    $name = 'save';
    $registry->$name();
    $class = Registry::class;
    new $class($add);
    $logger = new class('x') extends NullLogger {
        public function log(string $text): void
        {
            parent::log($text);
        }
    };
    $logger->log("total {$registry->count()} of $name");
    call_user_func([$registry, 'flush'], 1);
    call_user_func('configure');
    namespace\configure();
    \Shop\Support\configure();
}

function risky(string $path): ?string
{
    try {
        $text = file_get_contents($path) or throw new ReadError("no $path");
    } catch (ReadError | \RuntimeException $error) {
        throw $error;
    } catch (\Throwable) {
        // nothing to do
    } finally {
        cleanup();
    }
    /** @var Parser $parser */
    $parser = make('parser');
    [$head, 'body' => $body] = $parser->split($text);

    return $body;
}
