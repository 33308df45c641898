<?php

namespace App\Console\Commands;

class CloseDay extends Command
{
    protected $signature = 'shop:close-day {--dry}';

    public function handle(): int
    {
        return $this->call('shop:prune');
    }
}

class PruneJob implements ShouldQueue
{
    public function handle(): void
    {
    }
}

#[AsCommand(name: 'shop:sync', description: 'x')]
class Sync
{
    public function __invoke(): int
    {
        return 0;
    }
}
