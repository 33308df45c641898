package api

import (
	"net/http"

	"example.com/shop/store"
	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
	"github.com/robfig/cron/v3"
)

type Server struct {
	store  *store.Store
	router *gin.Engine
}

func NewServer(s *store.Store) *Server {
	server := &Server{store: s, router: gin.Default()}
	server.routes()
	return server
}

func (s *Server) routes() {
	s.router.GET("/health", s.health)
	v1 := s.router.Group("/v1")
	v1.POST("/items/:id", authenticate, s.create())
	admin := v1.Group("/admin")
	admin.Any("/stats", func(c *gin.Context) { c.Status(http.StatusOK) })
	s.router.Handle("DELETE", "/items", handlers.Clear)
	http.HandleFunc("/legacy", legacy)
	http.Handle("GET /files/", http.StripPrefix("/files/", http.HandlerFunc(files)))
	r := chi.NewRouter()
	r.Get("/chi/{id}", s.health)
	c := cron.New()
	c.AddFunc("@hourly", s.sweep)
	client.Get("/not/a/route")
}

func (s *Server) health(c *gin.Context)       { c.String(200, "fine") }
func (s *Server) create() gin.HandlerFunc     { return func(c *gin.Context) {} }
func (s *Server) sweep()                      {}
func (s *Server) Run(port string)             { s.router.Run(port) }
func authenticate(c *gin.Context)             { c.Next() }
func legacy(http.ResponseWriter, *http.Request) {}
func files(w http.ResponseWriter, r *http.Request) {
	w.Write([]byte("file"))
}
