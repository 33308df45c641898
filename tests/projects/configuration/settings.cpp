// Reads of the environment and of settings in C++.
#include <QSettings>
#include <cstdlib>

void read(QSettings& settings) {
    std::getenv("SHOP_URL");
    settings.value("shop/limit", 5);
}
