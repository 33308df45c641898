using Hangfire;
using System.CommandLine;

var app = WebApplication.CreateBuilder(args).Build();
app.MapGet("/health", () => "ok");
var api = app.MapGroup("/api").RequireAuthorization();
api.MapGet("/items/{id}", async (int id, IItems items) => await items.FindAsync(id)).WithName("item");
api.MapPost("items", Create);
api.MapGroup("admin").MapDelete("/items/{id}", Handlers.Remove);

var build = new Command("build", "Builds the shop");
build.SetHandler(Build);
RecurringJob.AddOrUpdate("sweep", () => Handlers.Sweep(), Cron.Daily);
app.Run();

static string Create(Item item) => item.Name;

void Build()
{
}

static class Handlers
{
    public static void Remove(int id)
    {
    }

    public static void Sweep()
    {
    }
}
