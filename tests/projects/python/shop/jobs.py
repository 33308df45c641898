import argparse
import atexit

import click
from celery import Celery, shared_task
from django.core.management.base import BaseCommand
from django.dispatch import receiver
from rq import Queue

celery = Celery()
queue = Queue()


@celery.task(bind=True)
def reindex(self):
    pass


@shared_task
def sweep():
    pass


def resize(name):
    return name


def goodbye():
    pass


@receiver(post_save, sender=object)
def saved(sender, **kwargs):
    queue.enqueue(resize, sender)


@click.group()
def cli():
    pass


@cli.command("build")
@click.option("--fast", is_flag=True)
def build(fast):
    return fast


def serve(args):
    return args


class Command(BaseCommand):
    def handle(self, *args, **options):
        sweep.delay()


def main():
    parser = argparse.ArgumentParser()
    parser.set_defaults(func=serve)
    atexit.register(goodbye)
    scheduler.add_job(resize, "interval")


if __name__ == "__main__":
    main()
