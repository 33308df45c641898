package com.acme.shop.jobs;

import picocli.CommandLine;
import picocli.CommandLine.Command;

@Command(name = "shop", description = "Runs the shop")
public class Jobs implements Runnable, CommandLineRunner {
  @Scheduled(cron = "0 0 * * * *")
  void clean() {}

  @EventListener
  void onPaid(PaidEvent event) {}

  @KafkaListener(topics = "orders")
  void onOrder(String message) {}

  @Command(name = "report")
  int report() {
    return 0;
  }

  @Override
  public void run() {}

  public void run(String... args) {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new Jobs()).execute(args));
  }
}
