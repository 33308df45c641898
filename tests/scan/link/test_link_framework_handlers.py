"""What a framework runs for what it is handed: handlers of a mediator, listeners of events, jobs."""

import pytest
from script_cases import ScriptProject
from typed_cases import Linked

COMMANDS = """namespace App.Commands;
public record Create(string Title) : IRequest<int>;
public record Delete(int Id) : IRequest;
public class CreateHandler : IRequestHandler<Create, int> { public Task<int> Handle(Create request) { return null; } }
public class DeleteHandler(IStore store) : IRequestHandler<Delete> { public Task Handle(Delete request) { return null; } }
"""
ENDPOINTS = """using MediatR;
using App.Commands;
namespace App.Web;
public class Endpoints {
  private readonly IMediator _mediator;
  public async Task Add(ISender sender, Create command) { await sender.Send(command); }
  public async Task Remove(int id) { await _mediator.Send(new Delete(id)); }
  public void Other(Letters letters, Create command) { letters.Write(command); }
}
"""


def test_a_mediator_runs_the_handler_of_what_it_is_sent():
    found = Linked("csharp", (".cs",), {"Commands.cs": COMMANDS, "Endpoints.cs": ENDPOINTS})

    assert found.targets("Endpoints.cs", "sender.Send") == ["Commands.cs:CreateHandler.Handle"]
    assert found.targets("Endpoints.cs", "_mediator.Send") == ["Commands.cs:DeleteHandler.Handle"]
    assert found.targets("Endpoints.cs", "letters.Write") == []
    (target,) = found.call("Endpoints.cs", "sender.Send").targets
    assert (target.reason, target.confidence) == ("dispatched", 0.9)


def test_what_a_mediator_gives_is_what_the_handler_gives():
    own = """namespace App;
public class Found { public void Open() {} } public class Other { public void Open() {} }
public record Find(int Id) : IRequest<Found>;
public class FindHandler : IRequestHandler<Find, Found> { public async Task<Found> Handle(Find request) { return null; } }
class User { async void Go(ISender sender) { var found = await sender.Send(new Find(1)); found.Open(); } }
"""
    said = Linked("csharp", (".cs",), {"A.cs": own})

    assert said.targets("A.cs", "found.Open") == ["A.cs:Found.Open"]


def test_a_handler_may_say_what_it_handles_by_a_type_of_its_own_project():
    own = """using MediatR;
namespace App;
public interface ICommandHandler<in T> : IRequestHandler<T> {}
public interface IFormHandler<in T> {}
public class Place : IRequest {}
public class PlaceHandler : ICommandHandler<Place> { public Task Handle(Place command) { return null; } }
public class PlaceForm : IFormHandler<Place> { public Task Handle(Place command) { return null; } }
class User { void Go(IMediator mediator) { mediator.Send(new Place()); } }
"""
    said = Linked("csharp", (".cs",), {"A.cs": own})

    assert said.targets("A.cs", "mediator.Send") == ["A.cs:PlaceHandler.Handle"]


def test_events_go_to_all_who_handle_them():
    own = """namespace App;
public class Done : INotification {}
public class Mail : INotificationHandler<Done> { public Task Handle(Done e) { return null; } }
public class Log : INotificationHandler<App.Done> { public Task Handle(Done e) { return null; } }
class User { void Go(IPublisher publisher) { publisher.Publish(new Done()); } }
"""
    said = Linked("csharp", (".cs",), {"A.cs": own})

    assert sorted(said.targets("A.cs", "publisher.Publish")) == ["A.cs:Log.Handle", "A.cs:Mail.Handle"]
    assert said.call("A.cs", "publisher.Publish").outcome == "ambiguous"


def test_a_handler_of_another_class_of_the_name_is_not_meant():
    other = COMMANDS.replace("App.Commands", "Other.Commands").replace("CreateHandler", "OtherHandler")
    texts = {"Commands.cs": COMMANDS, "Other.cs": other, "Endpoints.cs": ENDPOINTS}
    found = Linked("csharp", (".cs",), texts)

    assert found.targets("Endpoints.cs", "sender.Send") == ["Commands.cs:CreateHandler.Handle"]


def test_spring_calls_listeners_of_the_events_it_is_given():
    own = """package a;
import org.springframework.context.ApplicationEventPublisher;
class Paid {} class Sent {}
class Listener { @EventListener void onPaid(Paid e) {} @TransactionalEventListener(phase = X) void onSent(Sent e) {} void none(Paid e) {} }
class User { private final ApplicationEventPublisher publisher; void go() { publisher.publishEvent(new Paid()); } }
"""
    found = Linked("java", (".java",), {"A.java": own})

    assert found.targets("A.java", "publisher.publishEvent") == ["A.java:Listener.onPaid"]


PHP = r"""<?php
namespace App;
use Illuminate\Foundation\Bus\Dispatchable;
use Illuminate\Foundation\Events\Dispatchable as Announced;
use Symfony\Component\Messenger\MessageBusInterface;
class Job { use Dispatchable; public function handle() {} }
class Happened { use Announced; }
class Listener { public function handle(Happened $event) {} }
class Handler { public function __invoke(Job $job) {} }
class Act { use \Lorisleiva\Actions\Concerns\AsAction; public function handle() {} }
class Signed {}
class Subscriber { public function onSigned(Signed $event) {} public function other(Signed $event) {} }
class Rows extends \Illuminate\Database\Seeder { public function run() {} }
class User extends \Illuminate\Database\Seeder { public function go(MessageBusInterface $bus) { %s; } }
"""


@pytest.mark.parametrize(
    ("call", "text", "meant"),
    [
        ("Job::dispatch(1)", "Job::dispatch", "Job.handle"),
        ("dispatch(new Job())", "dispatch", "Job.handle"),
        ("event(new Happened())", "event", "Listener.handle"),
        ("Happened::dispatch()", "Happened::dispatch", "Listener.handle"),
        ("$bus->dispatch(new Job())", "$bus->dispatch", "Handler.__invoke"),
        (
            "(fn (\\Psr\\EventDispatcher\\EventDispatcherInterface $d) => $d->dispatch(new Signed()))(1)",
            "$d->dispatch",
            "Subscriber.onSigned",
        ),
        ("Act::run(1)", "Act::run", "Act.handle"),
        ("$this->call(Rows::class)", "$this->call", "Rows.run"),
        ("$this->call([Rows::class])", "$this->call", "Rows.run"),
    ],
)
def test_php_runs_jobs_listeners_and_handlers_of_messages(call, text, meant):
    found = Linked("php", (".php",), {"app/A.php": PHP % call})

    assert found.targets("app/A.php", text) == [f"app/A.php:{meant}"]


def test_an_event_with_many_listeners_runs_them_all():
    listeners = "".join(
        f"class L{number} {{ public function handle(Sent $event) {{}} }}\n" for number in range(16)
    )
    own = f"<?php\nclass Sent {{}}\n{listeners}function f() {{ event(new Sent()); }}\n"
    found = Linked("php", (".php",), {"a.php": own})

    assert len(found.targets("a.php", "event")) == 16


def test_nest_runs_the_handler_of_a_command():
    own = """import { CommandBus, CommandHandler, EventsHandler } from '@nestjs/cqrs';
export class Pay {}
@CommandHandler(Pay)
export class PayHandler { async execute(command: Pay) {} }
export class Controller { constructor(private readonly bus: CommandBus) {} pay() { return this.bus.execute(new Pay()); } }
"""
    found = ScriptProject({"pay.ts": own})

    assert "pay.ts:Controller.pay -> pay.ts:PayHandler.execute" in found.calls()


def test_a_queue_of_nest_runs_the_processor_of_its_name():
    names = "export enum QueueName { MAIL = 'mail', BILL = 'bill' }\n"
    processors = """import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Process } from '@nestjs/bull';
import { QueueName } from './names';
@Processor(QueueName.MAIL)
export class MailProcessor extends WorkerHost { async process(job) { return new Done(); } onModuleDestroy() {} }
@Processor({ concurrency: 3, name: QueueName.BILL })
export class BillProcessor extends WorkerHost { async process(job) {} }
@Processor('old')
export class OldProcessor { @Process('grow') grow(job) {} rest() {} }
export class Done { go() {} }
"""
    sender = """import { InjectQueue } from '@nestjs/bullmq';
import { Queue } from 'bullmq';
import { QueueName } from './names';
export class Shop {
  @InjectQueue('old') private readonly old: Queue;
  constructor(@InjectQueue(QueueName.MAIL) private readonly mail: Queue, @InjectQueue(QueueName.BILL) private bill: Queue,
    private readonly plain: Queue) {}
  async pay() { const done = await this.bill.add('pay', {}); }
  async send() { const done = await this.mail.add('send', {}); done.go(); }
  async grow() { await this.old.add('grow'); }
  async other() { await this.plain.add('a'); new Set().add('b'); }
}
"""
    found = ScriptProject({"names.ts": names, "work.ts": processors, "shop.ts": sender})

    assert {one for one in found.calls() if one.startswith("shop.ts:")} == {
        "shop.ts:Shop.pay -> work.ts:BillProcessor.process",
        "shop.ts:Shop.send -> work.ts:MailProcessor.process",
        "shop.ts:Shop.grow -> work.ts:OldProcessor.grow",
    }


def test_an_event_runs_every_handler_of_it_and_one_of_several_events_those_of_one():
    own = """namespace App;
public record Paid(int Id) : INotification;
public record Sent(int Id) : INotification;
public class Bill : INotificationHandler<Paid> { public Task Handle(Paid paid) { return null; } }
public class Mail : INotificationHandler<Paid> { public Task Handle(Paid paid) { return null; } }
public class Track : INotificationHandler<Sent> { public Task Handle(Sent sent) { return null; } }
class User {
  void Pay(IMediator mediator) { mediator.Publish(new Paid(1)); }
  void Any(IMediator other, bool isPaid) { other.Publish(isPaid ? new Paid(1) : new Sent(1)); }
}
"""
    said = Linked("csharp", (".cs",), {"A.cs": own})

    assert [one.confidence for one in said.call("A.cs", "mediator.Publish").targets] == [0.9, 0.9]
    assert [one.confidence for one in said.call("A.cs", "other.Publish").targets] == [0.45, 0.45, 0.45]


def test_two_things_handed_to_one_function_run_each_their_own():
    jobs = "<?php\nclass A { public function handle() {} }\nclass B { public function handle() {} }\n"
    found = Linked(
        "php", (".php",), {"main.php": f"{jobs}function f() {{ dispatch(new A()); dispatch(new B()); }}"}
    )

    facts, links = found.facts["main.php"], found.links["main.php"]
    run = [
        facts.symbols[facts.symbols[target.place.symbol].parent].name
        for call, said in zip(facts.calls, links.calls, strict=True)
        for target in said.targets
        if call.text == "dispatch"
    ]
    assert run == ["A", "B"]


def test_a_task_that_is_put_into_a_queue_runs():
    tasks = "from celery import shared_task\n@shared_task(queue='mail')\ndef send_mail(x): pass\ndef plain(x): pass\n"
    main = "from tasks import plain, send_mail\ndef f(x):\n    send_mail.delay(1)\n    plain.delay(1)\n    x.delay(1)\n"
    found = Linked("python", (".py",), {"tasks.py": tasks, "main.py": main})

    assert found.targets("main.py", "send_mail.delay") == ["tasks.py:send_mail"]
    assert found.targets("main.py", "plain.delay") == []
    assert found.targets("main.py", "x.delay") == []


def test_any_bus_runs_the_handler_of_what_it_is_sent_by_the_overload_that_takes_it():
    own = """namespace App;
public interface IBus { Task Send<T>(T command); }
public class Bus : IBus { public Task Send<T>(T command) { return null; } }
public class Place : Command {} public class Drop : Command {} public class Letter {}
public class Handler : IRequestHandler<Place, int>, IRequestHandler<Drop, int> {
  public Task<int> Handle(Place command) { return null; }
  public Task<int> Handle(Drop command) { return null; }
}
class User {
  void Outside(IMediatorHandler handler) { handler.SendCommand(new Place()); }
  void Own(IBus bus) { bus.Send(new Drop()); }
  void Other(IBus mail) { mail.Send(new Letter()); }
}
"""
    said = Linked("csharp", (".cs",), {"A.cs": own})

    (place,) = said.call("A.cs", "handler.SendCommand").targets
    drop = [one for one in said.call("A.cs", "bus.Send").overriders if one.reason == "dispatched"]
    assert (place.reason, len(drop)) == ("dispatched", 1)
    assert place.place != drop[0].place
    assert not [one for one in said.call("A.cs", "mail.Send").overriders if one.reason == "dispatched"]


def test_a_publisher_of_the_project_runs_the_listeners_to_what_it_is_given():
    own = """package app;
interface Events { void raise(Object event); }
class Placed {} class Shipped {}
class Mail {
  @TransactionalEventListener public void on(Placed event) {}
  @TransactionalEventListener public void on(Shipped event) {}
}
class Orders { Events events; void place() { events.raise(new Placed()); } }
"""
    said = Linked("java", (".java",), {"app/A.java": own})

    extra = said.call("app/A.java", "events.raise").overriders
    assert [one.reason for one in extra] == ["dispatched"]


PIPELINE = """namespace App.Pipeline;
public class Check<TRequest, TResponse>(IEnumerable<IValidator<TRequest>> validators) : IPipelineBehavior<TRequest, TResponse> {
  public Task<TResponse> Handle(TRequest request, RequestHandlerDelegate<TResponse> next) { return next(); }
}
public class Audit<TRequest, TResponse> : IPipelineBehavior<TRequest, TResponse> where TRequest : App.Commands.Delete {
  public Task<TResponse> Handle(TRequest request, RequestHandlerDelegate<TResponse> next) { return next(); }
}
public class Log<TRequest> : IRequestPreProcessor<TRequest> where TRequest : notnull { public Task Process(TRequest request) { return null; } }
public class Alone : IPipelineBehavior<Delete, int> { public Task<int> Handle(Delete request) { return null; } }
public class CreateValidator : AbstractValidator<Create> { public CreateValidator() { RuleFor(v => v.Title); } }
public class DeleteValidator : AbstractValidator<Delete> { public DeleteValidator() { } }
public class Stray { public Task Handle(Create request) { return null; } }
"""


def test_a_mediator_runs_behaviours_and_validators_around_the_handler():
    files = {
        "Commands.cs": COMMANDS,
        "Endpoints.cs": ENDPOINTS,
        "Pipeline.cs": f"using App.Commands;\n{PIPELINE}",
        "Bus.cs": "using MediatR;\nclass Bus { Task Go<T>(ISender sender, T request) { return sender.Send(request); } }\n",
    }
    found = Linked("csharp", (".cs",), files)

    assert found.targets("Endpoints.cs", "sender.Send") == ["Commands.cs:CreateHandler.Handle"]
    assert found.overriders("Endpoints.cs", "sender.Send") == [
        "Pipeline.cs:Check.Handle", "Pipeline.cs:Log.Process", "Pipeline.cs:CreateValidator.CreateValidator",
    ]  # fmt: skip
    assert set(found.overriders("Endpoints.cs", "_mediator.Send")) == {
        "Pipeline.cs:Check.Handle", "Pipeline.cs:Audit.Handle", "Pipeline.cs:Alone.Handle", "Pipeline.cs:Log.Process",
        "Pipeline.cs:DeleteValidator.DeleteValidator",
    }  # fmt: skip
    assert found.overriders("Endpoints.cs", "letters.Write") == []
    sureness = {
        found.name(one.place): one.confidence for one in found.call("Bus.cs", "sender.Send").overriders
    }
    assert sureness == {
        "Pipeline.cs:Check.Handle": 0.6,
        "Pipeline.cs:Audit.Handle": 0.3,
        "Pipeline.cs:Log.Process": 0.6,
    }


def test_validators_run_only_where_something_around_requests_asks_for_them():
    alone = PIPELINE.replace("(IEnumerable<IValidator<TRequest>> validators)", "")
    files = {
        "Commands.cs": COMMANDS,
        "Endpoints.cs": ENDPOINTS,
        "Pipeline.cs": f"using App.Commands;\n{alone}",
    }
    found = Linked("csharp", (".cs",), files)

    assert found.overriders("Endpoints.cs", "sender.Send") == [
        "Pipeline.cs:Check.Handle",
        "Pipeline.cs:Log.Process",
    ]


def test_a_store_runs_its_interceptors_where_changes_are_saved():
    own = """using Microsoft.EntityFrameworkCore;
namespace App;
public interface IContext { Task<int> SaveChangesAsync(); }
public class Context : DbContext, IContext {}
public class Stamp : SaveChangesInterceptor {
  public override int SavingChanges(int result) { return 1; }
  public override Task<int> SavingChangesAsync(int result) { return null; }
}
public class Other { public Task<int> SavingChangesAsync(int result) { return null; } }
class User {
  void Now(Context context) { context.SaveChanges(); }
  void Later(IContext context) { context.SaveChangesAsync(); }
}
"""
    said = Linked("csharp", (".cs",), {"A.cs": own})

    assert said.overriders("A.cs", "context.SaveChanges") == ["A.cs:Stamp.SavingChanges"]
    assert said.overriders("A.cs", "context.SaveChangesAsync") == ["A.cs:Stamp.SavingChangesAsync"]


def test_an_event_that_an_object_keeps_for_later_leads_to_its_handlers():
    own = """using MediatR;
namespace App;
public abstract class Entity { public void AddDomainEvent(INotification one) {} }
public record Done : INotification;
public class Item : Entity { public bool IsDone { set { AddDomainEvent(new Done()); } } }
public class Mail : INotificationHandler<Done> { public Task Handle(Done one) { return null; } }
"""
    said = Linked("csharp", (".cs",), {"A.cs": own})

    assert said.targets("A.cs", "AddDomainEvent") == ["A.cs:Entity.AddDomainEvent"]
    assert said.overriders("A.cs", "AddDomainEvent") == ["A.cs:Mail.Handle"]
