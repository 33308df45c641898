module example.com/shop

go 1.22

require (
	github.com/gin-gonic/gin v1.10.0
	github.com/go-chi/chi/v5 v5.0.12
	github.com/spf13/cobra v1.8.0
)
