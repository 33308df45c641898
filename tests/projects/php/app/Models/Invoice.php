<?php

declare(strict_types=1);

namespace Shop\Models;

use DateTimeImmutable;
use Shop\Contracts\{Payable, Taxable as HasTax};
use Shop\Support\Money;
use function Shop\Support\round_half_even;
use const Shop\Support\DEFAULT_CURRENCY;

const GRACE_DAYS = 14;

/**
 * What a customer owes.
 *
 * @template T
 */
#[Entity(table: 'invoices')]
final class Invoice extends Record implements Payable, HasTax
{
    use Timestamps, SoftDeletes {
        Timestamps::touch insteadof SoftDeletes;
        touch as protected touchQuietly;
    }

    public const string STATUS_OPEN = 'open';
    private const RATES = ['standard' => 0.19, 'reduced' => 0.07];

    /** @var Line[] */
    protected array $lines = [];

    public static int $count = 0;

    private ?Money $cached = null, $other;

    public function __construct(
        private readonly Customer $customer,
        protected ?DateTimeImmutable $due = null,
        Line ...$lines,
    ) {
        parent::__construct();
        $this->lines = $lines;
        self::$count++;
        static::boot();
    }

    /**
     * The sum of all lines.
     *
     * @param array<string, Discount> $discounts by code
     * @return Money
     */
    public function total(array $discounts = [], $currency = DEFAULT_CURRENCY)
    {
        $sum = new Money(0, $currency);
        foreach ($this->lines as $number => $line) {
            if ($line->isFree() || $line->isVoid()) {
                continue;
            } elseif ($line->quantity > 100) {
                $sum = $sum->add($line->bulk());
            } else {
                $sum = $sum->add($line->price());
            }
        }
        foreach ($discounts as $discount) {
            $sum = $discount->apply($sum);
        }

        return $this->cached ??= round_half_even($sum);
    }

    public function customerName(): string
    {
        return $this->customer?->profile()->name ?? 'unknown';
    }

    public static function open(Customer $customer): static
    {
        return new static($customer);
    }

    public function copy(): self
    {
        return clone $this;
    }

    protected function lines(): iterable
    {
        yield from $this->lines;
        yield 'total' => $this->total();
    }

    public string $label {
        get => $this->customerName() . ' ' . self::STATUS_OPEN;
        set(string $value) {
            $this->rename($value);
        }
    }

    abstract protected function missing();
}

interface Billable extends Payable
{
    public function bill(Invoice $invoice): void;
}

trait Numbered
{
    public function number(): int
    {
        return self::next();
    }
}

enum Status: string implements HasLabel
{
    case Open = 'open';
    case Paid = 'paid';

    const DEFAULT = self::Open;

    public function label(): string
    {
        return match ($this) {
            self::Open => 'Open',
            Status::Paid => ucfirst('paid'),
        };
    }
}
