// Constant lists and tables of C++.
const char* const kRoles[] = {"admin", "editor"};
static const std::map<std::string, int> kStates = {{"open", 1}, {"closed", 2}};
