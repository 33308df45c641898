/* Commands and who answers them. */
#include <stdio.h>
#include "commands.h"

typedef struct {
    const char *name;
    int (*run)(struct client *c);
} command_t;

typedef struct node {
    struct node *next;
    unsigned flags : 3;
} node, *node_ref;

typedef int (*handler)(int code);

enum { LEVEL_LOW = 3, LEVEL_HIGH };
enum color { RED, GREEN = 5 };
union number { int whole; double broken; };

static int get_command(struct client *c);
extern int verbose;

static struct node *head = NULL, *tail;

static command_t table[] = {
    {"get", get_command},
    {.name = "set", .run = set_command},
};

/* Answers a get. */
static int get_command(struct client *c)
{
    char *home = getenv("HOME");
    struct node *found = (struct node *)lookup(c->key);
    if (!found)
        return reply(c, LEVEL_LOW);
    else if (found->flags & 2)
        goto out;
    c->callback = get_command;
    c->db->dirty++;
    tail = found;
    qsort(table, 2, sizeof(table[0]), compare);
out:
    return (*c->callback)(c);
}

int (*pick(int code))(int)
{
    return code ? handlers[code] : 0;
}

#ifdef _WIN32
int wmain(void)
#else
int main(int argc, char *argv[])
#endif
{
    return 0;
}

int legacy(a, b)
    int a;
    char *b;
{
    return a;
}

void log_all(const char *format, ...)
{
    va_list ap;
    char *text = va_arg(ap, char *);
    puts(text);
}
