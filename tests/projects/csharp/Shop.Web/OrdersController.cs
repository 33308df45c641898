using Microsoft.AspNetCore.Mvc;

namespace Shop.Web
{
    [ApiController]
    [Route("api/[controller]")]
    public class OrdersController(IOrders orders) : ControllerBase
    {
        /// <summary>Lists orders.</summary>
        [HttpGet]
        public IActionResult List([FromQuery] int limit = 20) => Ok(orders.All(limit));

        [HttpGet("{id}", Name = "order"), Authorize]
        public async Task<ActionResult<Order>> Show(string id) => await orders.FindAsync(id);

        [HttpPost("/orders")]
        public void Create([FromBody] Order order)
        {
        }

        [HttpPut]
        [Route("{id}/[action]")]
        public void Close(string id)
        {
        }

        private void Hidden()
        {
        }
    }

    public class HomeController : Controller
    {
        public IActionResult Index() => View();

        [NonAction]
        public void Help()
        {
        }
    }

    public class Cleaner : BackgroundService
    {
        protected override Task ExecuteAsync(CancellationToken stop) => Task.CompletedTask;
    }

    public class PaidConsumer : IConsumer<Paid>
    {
        public Task Consume(ConsumeContext<Paid> context) => Task.CompletedTask;
    }

    public class Functions
    {
        [Function("Nightly")]
        public void Nightly([TimerTrigger("0 0 3 * * *")] object timer)
        {
        }
    }
}
