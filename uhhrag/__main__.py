from uhhrag.cli import main

main()
