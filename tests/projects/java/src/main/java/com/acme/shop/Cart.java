package com.acme.shop;

import com.acme.shop.model.Money;
import com.acme.shop.model.Shapes;
import java.io.*;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a customer is about to buy.
 *
 * @param <T> what an entry holds
 */
public abstract class Cart<T extends Cart.Entry> extends Basket<T> implements Serializable, Comparable<Cart<T>> {
  private static final String CURRENCY = "EUR";
  private static final long serialVersionUID = 42L, VERSION = 7;
  private final Map<String, List<T>> entries = new HashMap<>();
  protected Shapes discount;
  int total[];

  static {
    Registry.register(Cart.class);
  }

  {
    discount = new Shapes.Flat(Money.of(3));
  }

  public Cart() {
    this(null, "a", "b");
  }

  protected Cart(Shapes discount, String... tags) {
    super(tags.length);
    this.discount = discount;
  }

  abstract void close() throws IOException;

  // Chains, lambdas and method references.
  public Optional<T> cheapest(String key) {
    var found = entries.get(key);
    return found.stream()
        .filter(entry -> entry.price().isPositive())
        .map(this::check)
        .map(Entry::copy)
        .sorted((a, b) -> {
          int order = a.price().compareTo(b.price());
          return order;
        })
        .findFirst();
  }

  private T check(T entry) {
    if (entry == null) {
      throw new IllegalStateException("no entry in " + CURRENCY);
    } else if (entry.price() == null || entry.count() < 0) {
      throw failure;
    }
    return entry;
  }

  int load(File file, Object other) {
    int count = 0;
    try (var in = new FileReader(file); other) {
      while (in.ready() && count < 1000) {
        count += in.read();
      }
    } catch (FileNotFoundException | SecurityException missing) {
    } catch (IOException broken) {
      log(broken);
      return -1;
    } finally {
      super.release();
    }
    for (T entry : entries.get(file.getName())) {
      entry.touch();
      if (other instanceof Entry same && same.price() != null) {
        same.merge(entry);
      } else if (other instanceof Pair(Entry left, var right)) {
        left.merge(right);
      }
    }
    return count;
  }

  String describe(Object value) {
    String text = switch (value) {
      case Integer number when number > 10 -> "many";
      case Entry entry -> entry.toString();
      default -> throw new IllegalArgumentException();
    };
    switch (text) {
      case "a":
      case "b":
        log(text);
        break;
      default:
        log("other");
    }
    outer:
    for (int i = 0; i < 10; i++) {
      do {
        if (i == 3) continue outer;
      } while (i > 5);
    }
    Function<Integer, Entry[]> maker = Entry[]::new;
    Function<String, Entry> named = Entry::new;
    return text.isEmpty() ? null : ((Entry) value).name[0];
  }

  Runnable later() {
    return new Runnable() {
      private int runs;

      @Override
      public void run() {
        runs++;
        Cart.this.release();
        discount = null;
        class Local {
          void help() {
            later();
          }
        }
        new Local().help();
      }
    };
  }

  public static class Entry {
    String[] name;

    Entry(String name) {}

    Money price() {
      return Money.of(1);
    }

    class Inner {
      Entry owner() {
        return Entry.this;
      }
    }
  }
}
