<?php

class SendReceipt
{
    public function handle(OrderPaid $event): void
    {
        mail($event->address());
    }
}
