#include <cstdlib>
#include "shapes.h"

static void leak() {
    int* number = new int(3);
    char* raw = static_cast<char*>(malloc(3));
    *number = 4;
}

int main() {
    Shape* shape = new Circle(2);
    auto held = std::make_unique<Circle>(3);
    delete shape;
    leak();
    return static_cast<int>(held->area()) + largest(1, 2);
}
