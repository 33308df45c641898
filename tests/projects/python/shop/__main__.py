from shop.jobs import main

main()
