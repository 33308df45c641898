package shop

import "github.com/gin-gonic/gin"

func Serve(engine *gin.Engine) {
	Orders(engine.Group("/api"))
}

func Orders(group *gin.RouterGroup) {
	group.GET("/orders", List)
}

func List(c *gin.Context) {}
