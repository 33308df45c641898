using System;

namespace Shop.Old
{
    using Shop.Pricing;

    public struct Pair
    {
        public int Left, Right;
    }
}

namespace Shop.Older
{
    namespace Inner
    {
        class Program
        {
            static int Main(string[] args)
            {
#if DEBUG
                Console.WriteLine("debug");
#else
                Console.WriteLine("release");
#endif
                return new Pair().Left;
            }
        }
    }
}
