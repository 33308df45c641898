struct Item { std::string name; std::optional<int> note = 1; int* p; };
