global using System.Text;
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using static System.Math;
using Prices = Shop.Pricing.PriceTable;

namespace Shop;

/// <summary>What a customer is about to <see cref="Buy"/>.</summary>
/// <typeparam name="T">What an entry holds</typeparam>
public sealed partial class Cart<T> : Basket<T>, IDisposable, IEnumerable<T>
    where T : Entry, new()
{
    public const string Currency = "EUR";
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(30);
    private readonly Dictionary<string, List<T>> _entries = new();
    private int _count, _limit = 100;

    public event EventHandler<CartChanged>? Changed;

    public delegate decimal Discount(decimal price, in int count);

    static Cart()
    {
        Registry.Register(typeof(Cart<>));
    }

    public Cart(Prices prices, params string[] tags) : base(prices, tags.Length)
    {
        this.Prices = prices;
        _count = 0;
        Changed += OnChanged;
    }

    public Cart() : this(new Prices()) => Reset();

    ~Cart() => Dispose();

    public Prices Prices { get; private set; }

    public required string Name { get; init; } = Names.Fresh();

    public bool IsEmpty => _entries.Count == 0;

    public int Limit
    {
        get { return _limit; }
        set
        {
            if (value < 0)
            {
                throw new ArgumentOutOfRangeException(nameof(value));
            }

            _limit = value;
        }
    }

    public T this[string key]
    {
        get => _entries[key][0];
        set => Put(key, value);
    }

    // Chains, lambdas, null-conditional access and awaiting.
    public async Task<T?> CheapestAsync(string key, Func<T, bool>? filter = null)
    {
        var found = await _store.LoadAsync(key).ConfigureAwait(false);
        filter?.Invoke(found);
        Changed?.Invoke(this, new CartChanged { Key = key, Sum = Max(1, 2) });
        return _entries.GetValueOrDefault(key)
            ?.Where(entry => entry.Price > 0 && (filter == null || filter(entry)))
            .Select(Wrap)
            .OrderBy((entry) => { return entry.Price; })
            .FirstOrDefault() ?? Fallback<T>(out var reason);
    }

    public IEnumerable<string> Lines()
    {
        var lines = from entry in All()
                    where entry.IsOpen()
                    join price in Prices.Rows on entry.Id equals price.Id
                    let text = entry.Format(price)
                    orderby text
                    select new { entry.Id, Text = text };
        foreach (var line in lines)
        {
            yield return $"{line.Text.Trim()} at {Count(line)}";
        }

        int Count(object line) => line.GetHashCode();
    }

    public override string Describe(object value)
    {
        using var scope = Tracing.Start("describe");
        try
        {
            return value switch
            {
                Entry { Price: > 100 } dear when dear.IsOpen() => dear.Title,
                Entry or null => "plain",
                int number => number.ToString(),
                _ => throw new NotSupportedException(),
            };
        }
        catch (InvalidOperationException broken) when (broken.HResult != 0)
        {
            Log(broken);
            throw;
        }
        catch
        {
        }
        finally
        {
            base.Dispose();
        }

        if (value is Entry same && same.IsOpen())
        {
            same.Close();
        }
        else if (value is not null)
        {
            switch (value)
            {
                case 1:
                case 2:
                    Log(value);
                    break;
                default:
                    goto end;
            }
        }

        lock (this)
        {
            Entry copy = new("copy") { Title = "x" };
            (int low, var high) = Range(copy);
            var (first, second) = Range(copy);
            copy = copy with { Price = low };
            return ((Entry)value).Title + (value as Entry)!.Title + first;
        }

        end:
        return Environment.GetEnvironmentVariable("SHOP_TEXT") ?? "none";
    }

    void IDisposable.Dispose() => global::System.GC.SuppressFinalize(this);

    public static Cart<T> operator +(Cart<T> left, T right) => left.With(right);

    public static implicit operator int(Cart<T> cart) => cart._count;

    private void OnChanged(object? sender, CartChanged change)
    {
        Action<int> later = delegate(int wait) { Run(wait); };
        later(3);
    }
}

public enum Level : byte
{
    Low = 10,
    [Obsolete("use Low")]
    High,
}

public record Entry(string Title, decimal Price = 0) : Item(Title), IPriced
{
    public bool IsOpen() => true;
}

public readonly record struct Point(int X, int Y);

internal class Counter(ILogger log, int start)
{
    private int _now = start;

    public void Add() => log.Write(_now++);
}

public interface IPriced
{
    decimal Price { get; }

    void Reprice(decimal price);
}

public static class CartExtensions
{
    public static int Total<T>(this Cart<T> cart)
        where T : Entry, new() => cart.Count();
}
