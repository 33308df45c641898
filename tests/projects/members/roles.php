<?php
// Constant lists and tables of PHP.
const ROLES = ['admin', 'editor'];

class Order
{
    const STATES = ['open' => 1, 'closed' => self::CLOSED];
}
