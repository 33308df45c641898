// Package settings reads the environment and viper's settings.
package settings

import (
	"os"

	"github.com/spf13/viper"
)

const tokenName = "SHOP_TOKEN"

func Read() {
	os.Getenv("SHOP_URL")
	os.Getenv(tokenName)
	viper.BindEnv("SHOP_MODE")
	viper.GetString("shop.limit")
}
