package com.acme.shop.model;

import static com.acme.shop.model.Money.of;
import static java.util.Objects.*;

import java.util.List;
import java.util.Map;
import java.util.function.*;

/** A discount that is taken off a price. */
public sealed interface Shapes permits Shapes.Flat, Shapes.Percent {
  int NONE = 0;

  Money apply(Money price);

  default Money applyTwice(Money price) {
    return apply(apply(price));
  }

  /** Takes off a fixed amount. */
  record Flat(Money amount) implements Shapes {
    public Flat {
      requireNonNull(amount);
    }

    @Override
    public Money apply(Money price) {
      return price.minus(amount);
    }
  }

  record Percent(int rate, @Deprecated String reason) implements Shapes {
    @Override
    public Money apply(Money price) {
      return Shapes.super.applyTwice(price).times(rate);
    }
  }

  enum Level implements Supplier<Money> {
    LOW(10) {
      @Override
      public Money get() {
        return of(rate);
      }
    },
    HIGH(50);

    protected final int rate;

    Level(int rate) {
      this.rate = rate;
    }

    public Money get() {
      return switch (this) {
        case LOW -> of(1);
        case HIGH -> {
          Money high = of(2);
          yield high;
        }
      };
    }
  }

  @interface Audited {
    String value() default "all";

    Level[] levels();
  }
}
