// Guards of minimal APIs: what is chained to a route or to its group, and what the application uses.
var app = builder.Build();
app.UseAuthentication();
var orders = app.MapGroup("/orders").RequireAuthorization("buyer");
orders.MapGet("/", List);
orders.MapPost("/", Create).AddEndpointFilter<Validation>().AllowAnonymous();
app.MapGet("/health", Health);
app.UseCors();
var carts = app.MapGroup("/carts");
carts.MapGet("/all", List);
carts.RequireAuthorization();

IResult List() => Results.Ok();
IResult Create() => Results.Ok();
IResult Health() => Results.Ok();
