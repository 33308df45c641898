<?php

namespace App;

trait LogsOrders
{
    protected function log(string $text): void
    {
    }
}

trait Unused
{
}

class OrderController
{
    use LogsOrders;

    public function show(string $id): string
    {
        $text = @file_get_contents($id);
        try {
            $this->log($text);
        } catch (\Throwable $error) {
        }
        throw new OrderException($id);
    }
}

class OrderException extends \RuntimeException
{
}
