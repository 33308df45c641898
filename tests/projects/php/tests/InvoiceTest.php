<?php

use PHPUnit\Framework\Attributes\Test;

class InvoiceTest extends TestCase
{
    protected function setUp(): void
    {
        $this->invoice = new Invoice();
    }

    public function testTotal(): void
    {
        $this->assertSame(0, $this->invoice->total());
    }

    #[Test]
    public function it_is_open(): void
    {
    }

    /** @test */
    public function it_closes(): void
    {
    }

    private function testHelper(): void
    {
    }
}

it('adds', function () {
    expect(1 + 1)->toBe(2);
});
