// Package guards shows what stands before handlers of gin, chi and the standard library.
package guards

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
)

func Serve(engine *gin.Engine) {
	engine.Use(Logger(), Recovery())
	admin := engine.Group("/admin", BasicAuth())
	admin.Use(Audit)
	admin.GET("/stats", Cached(10), Stats)
	engine.GET("/health", Health)
	engine.Group(root+"/built").GET("/", Stats)
	Orders(engine.Group("/orders", SignedIn))
}

func Orders(group *gin.RouterGroup) {
	group.POST("/", List)
}

func Routes(r chi.Router) {
	r.Group(func(r chi.Router) {
		r.Use(Verify)
		r.With(Paginate).Get("/items", Items)
	})
	r.Get("/open", Items)
	http.Handle("/files", Authenticated(http.HandlerFunc(Items)))
}

func Items(w http.ResponseWriter, r *http.Request) {}
