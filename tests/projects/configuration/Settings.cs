// Reads of the environment and of settings in C#.
class Settings
{
    void Read(IConfiguration configuration)
    {
        Environment.GetEnvironmentVariable("SHOP_URL");
        var key = configuration["Shop:Key"] ?? throw new Problem();
        var limit = configuration.GetValue<int>("Shop:Limit", 5);
        var shop = configuration.GetRequiredSection("Shop");
        var database = configuration.GetConnectionString("Shop");
    }
}
