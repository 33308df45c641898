// Constant lists and tables of C#.
class Roles
{
    static readonly string[] All = { "admin", "editor" };
    static readonly Dictionary<string, int> States = new() { ["open"] = 1, { "closed", 2 } };
}
