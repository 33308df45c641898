"""Routes are shown with their whole paths, whichever files the parts of these stand in."""

import pytest

from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan
from drift.scan.applications import join_path
from drift.scan.routes import split_route

FLASK = {
    "auth/__init__.py": "from flask import Blueprint\nbp = Blueprint('auth', __name__)\nfrom auth import routes\n",
    "auth/routes.py": "from auth import bp\n@bp.route('/login', methods=['GET', 'POST'])\ndef login(): ...\n",
    "shop.py": "from flask import Blueprint\nbp = Blueprint('shop', __name__, url_prefix='/shop')\n@bp.get('/carts')\ndef carts(): ...\n",
    "app.py": (
        "from flask import Flask\ndef create_app():\n    app = Flask(__name__)\n    from auth import bp as auth_bp\n"
        "    app.register_blueprint(auth_bp, url_prefix='/auth')\n    import shop\n    app.register_blueprint(shop.bp)\n"
        "    return app\n"
    ),
}
FASTAPI = {
    "api/__init__.py": "",
    "api/config.py": "class Settings:\n    API_PREFIX: str = '/api/v1'\nsettings = Settings()\n",
    "api/users.py": (
        "from fastapi import APIRouter\nrouter = APIRouter(prefix='/users')\n@router.get('/{id}')\ndef show(id): ...\n"
        "@router.get('')\ndef index(): ...\n"
    ),
    "api/main.py": (
        "from fastapi import APIRouter, FastAPI\nfrom api import users\nfrom api.config import settings\napi_router = APIRouter()\n"
        "api_router.include_router(users.router)\napp = FastAPI()\napp.include_router(api_router, prefix=settings.API_PREFIX)\n"
    ),
}
DJANGO = {
    "shop/__init__.py": "",
    "shop/views.py": (
        "from rest_framework import mixins, viewsets\nfrom rest_framework.decorators import action\nimport other\ndef carts(request): ...\nclass UserViewSet:\n"
        "    @action(methods=['post'], detail=True)\n    def block(self, request, pk): ...\n"
        "    @action(detail=False, url_path='by-name')\n    def named(self, request): ...\n"
        "class Owned(viewsets.GenericViewSet):\n    def destroy(self, request, pk): ...\n"
        "class TagViewSet(mixins.ListModelMixin, OwnedMixin, Owned): ...\n"
        "class LogViewSet(viewsets.ReadOnlyModelViewSet):\n    http_method_names = ['get', 'post']\n    def create(self, request): ...\n"
        "class PostViewSet(viewsets.ViewSet):\n    def create(self, request): ...\n"
        "class ForeignViewSet(other.TreeViewSet): ...\n"
    ),
    "shop/urls.py": (
        "from django.urls import include, path\nfrom rest_framework.routers import DefaultRouter\nfrom shop import views\n"
        "router = DefaultRouter()\nrouter.register('users', views.UserViewSet)\nrouter.register('tags', views.TagViewSet)\n"
        "router.register('logs', views.LogViewSet)\nrouter.register('posts', views.PostViewSet)\nrouter.register('trees', views.ForeignViewSet)\n"
        "urlpatterns = [path('carts/<int:id>/', views.carts), path('rest/', include(router.urls)),\n"
        "    path('staff/', include([path('<slug:shop>/', include([path('carts', views.carts)]))]))]\n"
    ),
    "shop/lists.py": (
        "from django.urls import include, path\nfrom shop import views\n"
        "bills = [path('bills/', views.carts)]\nplain = [path('plain/', views.carts)]\n"
        "urlpatterns = [path('v1/', include(bills)), path('v2/', include((bills, 'shop'))), path('own/', views.carts)] + plain\n"
    ),
    "site/urls.py": "from django.urls import include, path\nurlpatterns = [path('api/', include('shop.urls')), path('x/', include('shop.lists'))]\n",
}
DJANGO_UNKNOWN = {
    "shop/routers.py": "from rest_framework.routers import DefaultRouter\nclass ShopRouter(DefaultRouter): ...\n",
    "shop/views.py": (
        "from rest_framework import viewsets\nfrom rest_framework.decorators import action\ndef carts(request): ...\n"
        "class UserViewSet(viewsets.ModelViewSet):\n    @action(detail=True)\n    def block(self, request, pk): ...\n"
        "class LostViewSet(viewsets.ModelViewSet):\n    @action(detail=True)\n    def find(self, request, pk): ...\n"
    ),
    "shop/urls.py": (
        "from shop.routers import ShopRouter\nfrom shop.tables import Table\nfrom shop import views\nrouter = ShopRouter()\n"
        "router.register('users', views.UserViewSet)\ntable = Table()\ntable.register('rows', views.UserViewSet)\n"
        "router.register('words', views.carts)\nurlpatterns = router.urls\n"
    ),
    "site/urls.py": (
        "from django.conf import settings\nfrom django.urls import include, path\nfrom shop import views\n"
        "inner = [path('carts/', views.carts), path('rest/', include('shop.urls'))]\n"
        "inner += [path('more/', views.carts)]\nurlpatterns = [path(f'{settings.BASE}', include(inner))]\n"
    ),
}
NEST = {
    "api/src/main.ts": (
        "import { NestFactory } from '@nestjs/core';\nasync function bootstrap() {\n"
        "  const app = await NestFactory.create(AppModule);\n"
        "  app.setGlobalPrefix('api', { exclude: ['health', { path: 'ready', method: 0 }] });\n}\n"
    ),
    "api/src/users/users.controller.ts": (
        "import { Controller, Get, Version } from '@nestjs/common';\n@Controller({ version: '1', path: 'users' })\n"
        "export class Users {\n  @Get(':id') one() {}\n  @Version('2') @Get() all() {}\n}\n"
    ),
    "api/src/health.controller.ts": (
        "import { Controller, Get } from '@nestjs/common';\n@Controller()\n"
        "export class Health {\n  @Get('health') health() {}\n  @Get('ready') ready() {}\n  @Get() root() {}\n}\n"
    ),
    "other/src/tags.controller.ts": (
        "import { Controller, Get } from '@nestjs/common';\n@Controller('tags')\nexport class Tags {\n  @Get() all() {}\n}\n"
    ),
}
NEST_MODULES = {
    "src/main.ts": (
        "import { NestFactory } from '@nestjs/core';\nimport { setUp } from './config/set-up';\n"
        "import { AppModule } from './app.module';\nasync function bootstrap() {\n"
        "  const app = await NestFactory.create(AppModule);\n  setUp(app);\n}\n"
    ),
    "src/config/set-up.ts": (
        "import { VersioningType } from '@nestjs/common';\nconst LEFT_OUT = ['metrics/*path', { path: 'status', method: RequestMethod.GET }];\n"
        "export function setUp(app) {\n  const prefix = 'api';\n  app.setGlobalPrefix(prefix, { exclude: LEFT_OUT });\n"
        "  app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });\n}\n"
    ),
    "src/app.module.ts": (
        "import { Module } from '@nestjs/common';\nimport { RouterModule, Routes } from '@nestjs/core';\n"
        "import { StaffModule } from './staff/staff.module';\nimport { ROLES } from './paths';\n"
        "const SHIFTS = [{ path: 'shifts', module: ShiftsModule }];\n"
        "const routes: Routes = [{ path: '/staff', module: StaffModule, children: [...SHIFTS, { path: ROLES, module: RolesModule }] }];\n"
        "@Module({ controllers: [Roles] })\nexport class RolesModule {}\n@Module({ controllers: [Shifts, Metrics] })\nexport class ShiftsModule {}\n"
        "@Module({ imports: [RouterModule.register(routes), StaffModule] })\nexport class AppModule {}\n"
        "@Controller('roles')\nexport class Roles {\n  @Get(['', 'all']) all() {}\n}\n"
        "@Controller({ path: 'list', version: VERSION_NEUTRAL })\nexport class Shifts {\n  @Get(SHIFT) one() {}\n  @Version(['2', '3']) @Get() all() {}\n}\n"
        "@Controller()\nexport class Metrics {\n  @Get('metrics/all') all() {}\n}\n"
    ),
    "src/paths.ts": "export const ROLES = '/roles-of';\n",
    "src/staff/staff.module.ts": (
        "import { Module } from '@nestjs/common';\nimport { Members } from './members.controller';\n"
        "@Module({ controllers: [Members] })\nexport class StaffModule {}\n"
    ),
    "src/staff/members.controller.ts": (
        "import { Controller, Get, Post } from '@nestjs/common';\n@Controller('members')\n"
        "export class Members {\n  @Get(':id') one() {}\n  @Post() add() {}\n}\n"
    ),
    "src/status.controller.ts": (
        "import { Controller, Get, Post } from '@nestjs/common';\n@Controller('status')\n"
        "export class Status {\n  @Get() ask() {}\n  @Post() tell() {}\n}\n"
    ),
}
NEST_UNKNOWN = {
    "apps/shop/main.ts": (
        "const app = await NestFactory.create(AppModule);\nconst prefix = configService.getOrThrow('app.prefix', { infer: true });\n"
        "app.setGlobalPrefix(prefix);\napp.enableVersioning({ type: VersioningType.HEADER, header: 'v' });\n"
    ),
    "apps/shop/carts.controller.ts": "@Controller('carts')\nexport class Carts {\n  @Version('1') @Get() all() {}\n}\n",
    "apps/staff/main.ts": "const app = await NestFactory.create(AppModule);\n",
    "apps/staff/bills.controller.ts": "@Controller('bills')\nexport class Bills {\n  @Get() all() {}\n}\n",
}
RESTX = {
    "api/__init__.py": (
        "from flask import Blueprint\nfrom flask_restx import Api\nfrom api.users import users\nfrom api.tags import tags\n"
        "from api.carts import Carts\nblueprint = Blueprint('api', __name__, url_prefix='/api')\n"
        "api = Api(blueprint, prefix='/v1')\napi.add_namespace(users, '/people')\napi.add_namespace(tags)\n"
        "api.add_resource(Carts, '/carts')\n"
    ),
    "api/users.py": (
        "from flask_restx import Namespace, Resource\nusers = Namespace('users')\n@users.route('/<int:id>')\n"
        "class User(Resource):\n    def get(self, id): ...\n    def delete(self, id): ...\n    def helper(self): ...\n"
    ),
    "api/tags.py": (
        "from flask_restx import Namespace\nfrom api.base import Known\ntags = Namespace('tags')\n@tags.route('')\n"
        "class Tags(Known):\n    def post(self): ...\n@tags.route('/other')\nclass Other(Foreign):\n    def get(self): ...\n"
    ),
    "api/base.py": "from flask_restx import Resource\nclass Known(Resource):\n    def get(self): ...\n",
    "api/carts.py": "from flask.views import MethodView\nclass Carts(MethodView):\n    def put(self): ...\n",
}
ROWS = {
    "routes/index.js": "module.exports = require('./routes');\n",
    "routes/routes.js": (
        "const { Router } = require('express');\nconst users = require('./users');\nconst tags = require('./tags');\n"
        "const api = Router();\nconst pages = Router();\nconst rows = [\n  { path: '/users', router: users },\n"
        "  { path: '/tags', router: tags },\n];\nrows.forEach((row) => { api.use(row.path, row.router); });\n"
        "for (const [path, name] of new Map([['/about', 'a'], ['/imprint', 'b']])) pages.get(path, (q, r) => r.render(name));\n"
        "['/help', unknown].forEach((path) => pages.get(path, (q, r) => {}));\n"
        "pages.get(/^\\/old\\/\\d+/, (q, r) => {});\nmodule.exports = { api: api, html: pages };\n"
    ),
    "routes/users.js": "const router = require('express').Router();\nrouter.get('/:id', (q, s) => {});\nmodule.exports = router;\n",
    "routes/tags.js": "const router = require('express').Router();\nrouter.get('/all', (q, s) => {});\nmodule.exports = router;\n",
    "carts.js": (
        "const express = require('express');\nclass Carts {\n  constructor() { this.router = express.Router(); this.init(); }\n"
        "  init() { this.router.post('/add', this.add.bind(this)); }\n  add(q, r) {}\n}\nmodule.exports = Carts;\n"
    ),
    "app.js": (
        "const express = require('express');\nconst routes = require('./routes');\nconst Carts = require('./carts');\n"
        "class Server {\n  constructor() { this.carts = new Carts(); }\n  start() {\n    const app = express();\n"
        "    app.use('/api', routes.api);\n    app.use('/html', routes.html);\n    app.use('/carts', this.carts.router);\n  }\n}\n"
    ),
}
EXPRESS = {
    "app.js": (
        "const express = require('express');\nconst users = require('./users');\nconst app = express();\n"
        "app.use('/users', guard, users);\napp.use('/api', require('./carts'));\nfunction guard(q, r, n) {}\n"
    ),
    "users.js": (
        "const router = require('express').Router();\nrouter.route('/:id').get((q, r) => {});\nmodule.exports = router;\n"
    ),
    "carts.js": (
        "const { Router } = require('express');\nconst router = Router();\nrouter.post('/carts', (q, r) => {});\n"
        "router.use('/lines', require('./lines'));\nmodule.exports = router;\n"
    ),
    "lines.js": "const router = require('express').Router();\nrouter.delete('/:line', (q, r) => {});\nmodule.exports = router;\n",
}
CHAINED = {
    "routes.ts": (
        "import { Router } from 'express';\nimport tags from './tags';\nconst api = Router().use(tags);\n"
        "export default Router().use('/api', api);\n"
    ),
    "tags.ts": "import { Router } from 'express';\nconst router = Router();\nrouter.get('/tags', (q, r) => {});\nexport default router;\n",
}
MADE = {
    "config/routes.ts": (
        "import { Application } from 'express';\nimport { createMonitorRoutes } from '../api/monitorRoutes';\n"
        "export const setupRoutes = (app: Application, guard: any, controllers: any) => {\n"
        "  app.use('/api/v1/monitors', guard, createMonitorRoutes(controllers.monitor));\n};\n"
    ),
    "api/monitorRoutes.ts": (
        "import { Router } from 'express';\nexport const createMonitorRoutes = (controller: any): Router => {\n"
        "  const router = Router();\n  router.get('/team', (q, r) => {});\n  return router;\n};\n"
    ),
}
COMPUTED = {
    "config.ts": "export const config = { API: { API_PREFIX: '/api/v1/' } };\n",
    "routes.ts": (
        "import { Application } from 'express';\nimport { config } from './config';\nclass Routes {\n"
        "  init(app: Application, base: string) {\n    app.get(config.API.API_PREFIX + 'txs/:id', this.show)\n"
        "      .post(`${base}/push`, this.show).get(['/a', '/b'], this.show).put(base, this.show);\n  }\n  show() {}\n}\n"
    ),
}
NAMED_CLASSES = {
    "Templates.java": 'class Templates { static class Mail { private static final String BASE = "mail/"; } }\n',
    "Routes.java": (
        'final class Routes {\n  private static final String API = "/api/v1/";\n'
        '  static final class Orders {\n    static final String BASE = API + "orders";\n    static final String OPEN = "open";\n  }\n'
        '  static final class Users { static final String BASE = API + "users"; }\n}\n'
    ),
    "Orders.java": (
        "import org.springframework.web.bind.annotation.*;\n@RestController\n@RequestMapping(Routes.Orders.BASE)\n"
        "class Orders {\n  @GetMapping(Routes.Orders.OPEN) String open() { return null; }\n"
        "  @GetMapping(Outside.Paths.LIST) String all() { return null; }\n}\n"
    ),
    "Shop.cs": (
        'static class Routes {\n  public const string Root = "api";\n  public static class Carts {\n'
        '    public const string Root = Routes.Root + "/carts";\n    public const string One = $"{Root}/{{id}}";\n  }\n}\n'
        "class CartsController : ControllerBase {\n  [HttpGet(Routes.Carts.One)] public string One(int id) => null;\n"
        '  [HttpPut(Routes.Carts.Root + "/all")] public string All() => null;\n'
        '  [HttpPost(Own)] public string Add() => null;\n  const string Own = "own";\n}\n'
    ),
}
FASTIFY = {
    "server.js": "const fastify = require('fastify')();\nfastify.register(require('./plugin'), { prefix: '/v1' });\n",
    "plugin.js": (
        "module.exports = async function routes(fastify, options) {\n  fastify.get('/items', async () => 1);\n"
        "  fastify.register(async function inner(app) { app.post('/deep', async () => 2); }, { prefix: '/inner' });\n};\n"
    ),
}
KOA = {
    "koa.ts": (
        "import Router from '@koa/router';\nimport Koa from 'koa';\nconst router = new Router({ prefix: '/carts' });\n"
        "router.get('/:id', (ctx) => {});\nconst outer = new Router();\nouter.use('/shop', router.routes());\n"
        "const app = new Koa();\napp.use(outer.routes());\n"
    ),
}
HONO = {
    "hono.ts": (
        "import { Hono } from 'hono';\nconst books = new Hono();\nbooks.get('/list', (c) => c.text(''));\n"
        "const app = new Hono().basePath('/api');\napp.route('/books', books);\n"
    ),
}
GIN = {
    "go.mod": "module example.com/shop\n\ngo 1.21\n\nrequire github.com/gin-gonic/gin v1.9.0\n",
    "main.go": (
        'package main\n\nimport (\n\t"example.com/shop/users"\n\t"github.com/gin-gonic/gin"\n)\n\nfunc main() {\n\tr := gin.Default()\n'
        '\tv1 := r.Group(base + "/api")\n\tusers.Register(v1.Group("/users"))\n}\n'
    ),
    "users/routes.go": (
        'package users\n\nimport "github.com/gin-gonic/gin"\n\nfunc Register(router *gin.RouterGroup) {\n\trouter.GET("/:id", show)\n'
        '\tadmin(router.Group("/admin"))\n}\n\nfunc admin(g *gin.RouterGroup) {\n\tg.DELETE("/:id", show)\n}\n\nfunc show(c *gin.Context) {}\n'
    ),
    "users/routes_test.go": (
        'package users\n\nimport (\n\t"testing"\n\n\t"github.com/gin-gonic/gin"\n)\n\nfunc TestRoutes(t *testing.T) {\n\tr := gin.New()\n'
        '\tRegister(r.Group("/tried"))\n}\n'
    ),
}
CHI = {
    "go.mod": "module example.com/shop\n\ngo 1.21\n\nrequire github.com/go-chi/chi/v5 v5.0.0\n",
    "main.go": (
        'package main\n\nimport (\n\t"net/http"\n\n\t"github.com/go-chi/chi/v5"\n)\n\nfunc main() {\n\tr := chi.NewRouter()\n'
        '\tr.Route("/articles", func(r chi.Router) {\n\t\tr.Get("/all", list)\n\t\tr.Route("/{id}", func(r chi.Router) {\n'
        '\t\t\tr.Get("/show", list)\n\t\t})\n\t})\n\tr.Mount("/admin", adminRouter())\n}\n\nfunc adminRouter() http.Handler {\n'
        '\tr := chi.NewRouter()\n\tr.Get("/stats", list)\n\treturn r\n}\n\nfunc list(w http.ResponseWriter, r *http.Request) {}\n'
    ),
}
CHI_METHODS = {
    "go.mod": "module example.com/shop\n\ngo 1.21\n\nrequire github.com/go-chi/chi/v5 v5.0.0\n",
    "main.go": (
        'package main\n\nimport (\n\t"example.com/shop/carts"\n\t"github.com/go-chi/chi/v5"\n)\n\nfunc serve(base string) {\n'
        '\tr := chi.NewRouter()\n\tapi := chi.NewRouter()\n\tapi.Route("/carts", carts.NewHandler().Routes)\n'
        '\tapi.Route("/pages", carts.Pages)\n\tr.Mount(base+"api", api)\n}\n'
    ),
    "carts/carts.go": (
        'package carts\n\nimport (\n\t"net/http"\n\n\t"github.com/go-chi/chi/v5"\n)\n\ntype Handler struct{}\n\n'
        "func NewHandler() *Handler { return &Handler{} }\n\n"
        'func (h *Handler) Routes(r chi.Router) {\n\tr.Get("/{id}", h.Show)\n}\n\n'
        'func Pages(r chi.Router) {\n\tr.Get("/first", first)\n}\n\n'
        "func (h *Handler) Show(w http.ResponseWriter, r *http.Request) {}\n\n"
        "func first(w http.ResponseWriter, r *http.Request) {}\n"
    ),
}
CHI_MOUNTED = {
    "go.mod": "module example.com/shop\n\ngo 1.21\n\nrequire github.com/go-chi/chi/v5 v5.0.0\n",
    "main.go": (
        'package main\n\nimport (\n\t"example.com/shop/carts"\n\t"github.com/go-chi/chi/v5"\n)\n\nfunc main() {\n'
        '\trouter := chi.NewRouter()\n\troot := chi.NewRouter()\n\tapi := chi.NewRouter()\n\trouter.Mount("/", root)\n'
        '\trouter.Mount("/api", api)\n\thandler := carts.NewHandler()\n\thandler.RegisterRoutes(api)\n'
        "\tpages := carts.NewPages()\n\tpages.RegisterRoutes(root)\n}\n"
    ),
    "carts/carts.go": (
        'package carts\n\nimport (\n\t"net/http"\n\n\t"github.com/go-chi/chi/v5"\n)\n\ntype Handler struct{}\n\n'
        "type Pages struct{}\n\nfunc NewHandler() *Handler { return &Handler{} }\n\nfunc NewPages() *Pages { return &Pages{} }\n\n"
        'func (h *Handler) RegisterRoutes(router chi.Router) {\n\tr := chi.NewRouter()\n\tr.Get("/{id}", h.Show)\n'
        '\trouter.Get("/health", h.Show)\n\trouter.Mount("/carts", r)\n}\n\n'
        'func (p *Pages) RegisterRoutes(router chi.Router) {\n\trouter.Get("/imprint", p.Show)\n}\n\n'
        "func (h *Handler) Show(w http.ResponseWriter, r *http.Request) {}\n\n"
        "func (p *Pages) Show(w http.ResponseWriter, r *http.Request) {}\n"
    ),
}
ASPNET = {
    "Api/BaseApiController.cs": (
        'namespace Shop.Api;\n\n[ApiController]\n[Route("api/[controller]")]\npublic class BaseApiController : ControllerBase { }\n'
    ),
    "Api/CartController.cs": (
        'namespace Shop.Api;\n\npublic class CartController : BaseApiController {\n    [HttpGet] public string All() => "";\n'
        '    [HttpPost("add")] public string Add() => "";\n    [HttpGet("/status")] public string Status() => "";\n}\n'
    ),
    "Api/BaseActionController.cs": (
        'namespace Shop.Api;\n\n[ApiController]\n[Route("api/[controller]/[action]")]\n'
        "public class BaseActionController : ControllerBase { }\n"
    ),
    "Api/BillsController.cs": (
        "namespace Shop.Api;\n\npublic class BillsController : BaseActionController {\n"
        '    [HttpGet] public string GetAll() => "";\n}\n'
    ),
    "Web/PageBaseController.cs": "namespace Shop.Web;\n\npublic abstract class PageBaseController : Controller { }\n",
    "Web/HomeController.cs": (
        'namespace Shop.Web;\n\npublic class HomeController : PageBaseController {\n    [HttpGet] public string Index() => "";\n}\n'
    ),
}
LARAVEL = {
    "app/Providers/RouteServiceProvider.php": (
        "<?php\nclass RouteServiceProvider {\n  public function map() {\n"
        "    Route::prefix('api')->middleware('api')->group(base_path('routes/api.php'));\n"
        "    Route::group(['middleware' => 'web', 'prefix' => 'shop'], function ($router) {\n      require base_path('routes/shop.php');\n"
        "    });\n  }\n}\n"
    ),
    "bootstrap/app.php": "<?php\nreturn Application::configure()->withRouting(api: __DIR__.'/../routes/mobile.php', apiPrefix: 'mobile');\n",
    "routes/api.php": "<?php\nRoute::get('tags', 'TagController@index');\nRoute::apiResource('articles', 'ArticleController', ['only' => ['index', 'show']]);\n",
    "routes/shop.php": "<?php\nRoute::get('carts', 'CartController@index');\n",
    "routes/mobile.php": "<?php\nRoute::post('login', 'LoginController@login');\n",
}
ACTIX = {
    "Cargo.toml": '[package]\nname = "shop"\n[dependencies]\nactix-web = "4"\n',
    "src/main.rs": (
        "mod carts;\nmod users;\nuse actix_web::web::{self, get, post, scope, resource};\n"
        'pub fn config(cfg: &mut web::ServiceConfig) {\n  cfg.service(\n    scope("/api").wrap(guard())\n'
        '      .service(scope("/site").route("", get().to(show)).route("/icon", post().to(show)).route(&setup.path, get().to(show)))\n'
        '      .service(resource("/search").route(get().to(show)))\n'
        '      .service(scope("/carts").configure(carts::config)).service(users::list),\n  );\n}\n'
        "async fn show() {}\nfn guard() {}\n"
    ),
    "src/carts.rs": (
        "use actix_web::web;\npub fn config(cfg: &mut web::ServiceConfig) {\n"
        '  cfg.route("/{id}", web::delete().to(remove));\n}\nasync fn remove() {}\n'
    ),
    "src/users.rs": 'use actix_web::get;\n#[get("/users")]\npub async fn list() {}\n',
}
AXUM = {
    "Cargo.toml": '[package]\nname = "shop"\n[dependencies]\naxum = "1"\n',
    "src/main.rs": (
        "mod users;\nuse axum::{routing::get, Router};\nfn app() -> Router {\n"
        '  let api = Router::new().route("/tags", get(tags).post(tags)).nest("/users", users::router());\n'
        '  Router::new().nest("/api", api).merge(pages())\n}\n'
        'fn pages() -> Router { Router::new().route("/about", get(tags)) }\nasync fn tags() {}\n'
    ),
    "src/users.rs": (
        'use axum::{routing::get, Router};\npub fn router() -> Router { Router::new().route("/{id}", get(show)) }\n'
        "async fn show() {}\n"
    ),
}
UTOIPA = {
    "Cargo.toml": '[package]\nname = "shop"\n[dependencies]\naxum = "0.8"\nutoipa = "5"\nutoipa-axum = "0.2"\n',
    "src/lib.rs": (
        "mod users;\nmod metrics;\nmod pages;\nuse axum::routing::get;\nuse pages::*;\n"
        "use utoipa_axum::{router::OpenApiRouter, routes};\n"
        "fn app() -> Router {\n    OpenApiRouter::new()\n        .routes(routes!(users::list, users::add))\n"
        '        .nest("/in", OpenApiRouter::new().routes(routes!(users::both)))\n'
        '        .route("/counts", get(counts::show))\n        .split_for_parts().0\n}\n'
    ),
    "src/metrics.rs": "macro_rules! counts { () => {} }\n",
    "src/pages.rs": "pub mod counts;\n",
    "src/pages/counts.rs": '#[utoipa::path(get, path = "/for/documents")]\npub async fn show() {}\n',
    "src/users.rs": (
        '#[utoipa::path(get, path = "/users", params(Page), responses((status = 200)))]\npub async fn list() {}\n'
        '#[utoipa::path(\n    post,\n    path = "/users",\n    request_body = inline(User),\n)]\npub async fn add() {}\n'
        '#[utoipa::path(method(get, head), path = "/both")]\npub async fn both() {}\n'
    ),
}
ROCKET = {
    "Cargo.toml": '[package]\nname = "shop"\n[dependencies]\nrocket = "1"\n',
    "src/main.rs": (
        'mod api;\nuse rocket::{get, routes};\n#[get("/")]\nfn index() {}\n'
        'fn rocket() { rocket::build().mount("/home", routes![index]).mount("/api", api::routes()); }\n'
    ),
    "src/api.rs": (
        'use rocket::{get, routes, Route};\n#[get("/ping")]\nfn ping() {}\n#[get("/more")]\nfn more() {}\n'
        "pub fn routes() -> Vec<Route> { let mut all = routes![ping]; all.append(&mut others()); all }\n"
        "fn others() -> Vec<Route> { routes![more] }\n"
    ),
}
SPRING = {
    "src/main/java/acme/shop/api/ShopApi.java": (
        "package acme.shop.api;\nimport org.springframework.web.bind.annotation.*;\n"
        '@RestController\n@RequestMapping("/api/v1/shop")\npublic @interface ShopApi {}\n'
    ),
    "src/main/java/acme/shop/web/Carts.java": (
        "package acme.shop.web;\nimport acme.shop.api.ShopApi;\nimport lombok.RequiredArgsConstructor;\n"
        "import org.springframework.web.bind.annotation.*;\n"
        '@RequiredArgsConstructor\n@ShopApi\npublic class Carts {\n  @GetMapping("/carts") public String all() { return ""; }\n}\n'
    ),
    "src/main/java/acme/shop/web/Plain.java": (
        "package acme.shop.web;\nimport org.springframework.web.bind.annotation.*;\n"
        '@RestController\n@RequestMapping("/plain")\npublic class Plain {\n  @GetMapping("/x") public String x() { return ""; }\n}\n'
    ),
}
MINIMAL = {
    "Program.cs": (
        "using Shop.Api;\nvar app = WebApplication.CreateBuilder(args).Build();\n"
        'app.MapGroup("/catalog").WithTags("c").MapCatalog();\nAdminApi.Register(app.MapGroup("/admin"));\n'
        "app.MapAll();\napp.Run();\n"
    ),
    "Api.cs": (
        "using Microsoft.AspNetCore.Routing;\nnamespace Shop.Api;\npublic static class CatalogApi {\n"
        "  public static RouteGroupBuilder MapCatalog(this RouteGroupBuilder group) {\n"
        '    group.MapGet("/items", Show);\n    group.MapGroup("/brands").MapGet("/", Show);\n    return group;\n  }\n'
        '  static string Show() => "";\n}\npublic static class AdminApi {\n'
        '  public static void Register(IEndpointRouteBuilder app) { app.MapPost("/users", Add); }\n'
        '  static string Add() => "";\n}\npublic static class AllApi {\n'
        '  public static void MapAll(this WebApplication app) { app.MapDeep(); app.MapGroup("/v2").MapDeep(); }\n'
        '  static void MapDeep(this IEndpointRouteBuilder app) { app.MapGet("/deep", Show); }\n'
        '  static string Show() => "";\n}\n'
    ),
}
NAMED_GROUPS = {
    "Orders.cs": (
        'static class Paths { public const string Orders = "api/orders"; }\nstatic class Endpoints {\n'
        '  static void MapOrders(this WebApplication app) {\n    var group = app.MapGroup(Paths.Orders);\n    group.MapGet("/", Show);\n'
        '    var own = app.MapApiGroup("carts");\n    own.MapPost("/", Show);\n  }\n  static string Show() => null;\n}\n'
    ),
}
MADE_GROUPS = {
    "Web/Extensions.cs": (
        "public static class Extensions {\n"
        "  public static RouteGroupBuilder MapApiGroup(this WebApplication app, string name) {\n"
        '    return app.MapGroup($"api/{name}").WithTags(name);\n  }\n'
        "  public static RouteGroupBuilder MapGroup(this WebApplication app, EndpointGroup group) {\n"
        "    var groupName = group.GroupName ?? group.GetType().Name;\n"
        '    return app.MapGroup($"/api/v1/{groupName}");\n  }\n'
        "}\n"
    ),
    "Web/Heroes.cs": (
        "public static class HeroEndpoints {\n  public static void MapHeroes(this WebApplication app) {\n"
        '    var group = app.MapApiGroup("heroes");\n    group.MapGet("/{id}", (int id) => id);\n  }\n}\n'
    ),
    "Web/Lists.cs": (
        "public class Lists : EndpointGroup {\n  public override void Map(WebApplication app) {\n"
        '    app.MapGroup(this).MapGet(GetLists).MapPut(Update, "{id}");\n  }\n'
        "  public string GetLists() => null;\n  public string Update(int id) => null;\n}\n"
    ),
    "Web/Items.cs": (
        'public static class Routes { public const string Items = "/items"; }\n'
        "public static class ItemEndpoints {\n  public static void MapItems(this IEndpointRouteBuilder app) {\n"
        "    app.MapPost(Routes.Items, Add);\n  }\n  static string Add() => null;\n}\n"
    ),
}
CONTEXT_PATHS = {
    "shop/src/main/resources/application.yml": "server:\n  servlet:\n    context-path: ${BASE:/shop}\nspring:\n  mvc:\n    servlet:\n      path: /api\n",
    "shop/src/main/resources/application-dev.yml": "server:\n  servlet:\n    context-path: /dev\n",
    "shop/src/main/java/shop/Carts.java": (
        "package shop;\nimport org.springframework.web.bind.annotation.*;\n"
        '@RestController\n@RequestMapping("/carts")\npublic class Carts {\n  @GetMapping("/{id}") public String one() { return ""; }\n}\n'
    ),
    "rent/src/main/resources/application.properties": "quarkus.http.root-path=/rent\n",
    "rent/src/main/java/rent/Api.java": '@ApplicationPath("v1")\npublic class Api extends Application {}\n',
    "rent/src/main/java/rent/Cars.java": (
        'import jakarta.ws.rs.*;\n@Path("/cars")\npublic class Cars {\n  @GET public String all() { return ""; }\n}\n'
    ),
    "rent/src/main/java/rent/Other.java": "class Other {}\n",
    "plain/src/main/java/plain/Cars.java": (
        'import jakarta.ws.rs.*;\n@Path("/plain")\npublic class Cars {\n  @GET public String all() { return ""; }\n}\n'
    ),
}
FOUND_GROUPS = {
    "Web/Extensions.cs": (
        "public abstract class EndpointGroup { public abstract void Map(RouteGroupBuilder builder); }\n"
        "public static class Extensions {\n  public static RouteGroupBuilder MapGroup(this WebApplication app, EndpointGroup group) {\n"
        '    var groupName = group.GetType().Name;\n    return app.MapGroup($"/api/{groupName}");\n  }\n'
        "  public static void MapAll(this WebApplication app, IEnumerable<EndpointGroup> all) {\n"
        "    foreach (EndpointGroup instance in all) instance.Map(app.MapGroup(instance));\n  }\n}\n"
    ),
    "Web/Teams.cs": (
        "public class Teams : EndpointGroup {\n  public override void Map(RouteGroupBuilder builder) {\n"
        "    builder.MapGet(GetTeams);\n  }\n  public string GetTeams() => null;\n}\n"
    ),
}
REFLECTED_GROUPS = {
    "Web/Extensions.cs": (
        "public interface IGroup { static virtual string Prefix => null; static abstract void Map(RouteGroupBuilder group); }\n"
        "public static class Extensions {\n  public static void MapAll(this WebApplication app, Assembly all) {\n"
        "    foreach (var type in all.GetTypes().Where(t => t.IsAssignableTo(typeof(IGroup)))) {\n      var name = type.Name;\n"
        '      var prefix = type.GetProperty(nameof(IGroup.Prefix))?.GetValue(null) as string ?? $"/api/{name}";\n'
        "      var made = app.MapGroup(prefix).WithTags(name);\n"
        "      type.GetMethod(nameof(IGroup.Map))!.Invoke(null, [made]);\n    }\n  }\n}\n"
    ),
    "Web/Teams.cs": (
        'public class Teams : IGroup {\n  public static void Map(RouteGroupBuilder group) {\n    group.MapGet("{id}", One);\n'
        '    group.MapPost("new", () => 1);\n  }\n  static string One() => null;\n}\n'
        'public static class Lone {\n  public static void Map(RouteGroupBuilder group) { group.MapGet("{id}", One); }\n'
        "  static string One() => null;\n}\n"
    ),
}
GENERIC_GROUPS = {
    "Web/Extensions.cs": (
        "public interface IGroup { static abstract void Map(IEndpointRouteBuilder app); }\n"
        "public static class Extensions {\n  public static void Add<T>(this WebApplication app) where T : IGroup =>\n"
        '    T.Map(app.MapGroup($"/api/{typeof(T).Name}"));\n}\n'
    ),
    "Web/Teams.cs": (
        'public class Teams : IGroup {\n  public static void Map(IEndpointRouteBuilder app) { app.MapGet("{id}", One); }\n'
        "  static string One() => null;\n}\n"
    ),
}
RAZOR = {
    "Web/Areas/Shop/Pages/Cart/Index.cshtml.cs": "public class IndexModel : PageModel { public void OnGet() {} }\n",
    "Web/Pages/Account/Login.cshtml.cs": "public class LoginModel : PageModel { public void OnPostAsync() {} }\n",
}


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def routes(root):
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        found = reader.facts.entry_points("http")
    return sorted(each.detail.partition(" -> ")[0] for each in found if each.symbol.role != "test")


def guards(root, route):
    with IndexReader(StateDir(root).index_db) as reader:
        found = next(each for each in reader.facts.entry_points("http") if each.detail == route)
        return [(each.how, each.text) for each in reader.facts.guards_of(found)]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            MINIMAL,
            ["GET /catalog/brands", "GET /catalog/items", "GET /deep, /v2/deep", "POST /admin/users"],
            id="minimal apis",
        ),
        pytest.param(SPRING, ["GET /api/v1/shop/carts", "GET /plain/x"], id="spring"),
        pytest.param(FLASK, ["GET /shop/carts", "GET,POST /auth/login"], id="flask"),
        pytest.param(FASTAPI, ["GET /api/v1/users", "GET /api/v1/users/{id}"], id="fastapi"),
        pytest.param(
            DJANGO,
            [
                "ANY /api/carts/<int:id>/",
                "ANY /api/staff/<slug:shop>/carts",
                "ANY /x/own/",
                "ANY /x/plain/",
                "ANY /x/v1/bills/, /x/v2/bills/",
                "DELETE /api/rest/tags/{pk}/",
                "GET /api/rest/logs/{pk}/",
                "GET /api/rest/tags/",
                "GET /api/rest/users/by-name/",
                "GET,POST /api/rest/logs/",
                "GET,POST /api/rest/trees/",
                "GET,POST /api/rest/users/",
                "GET,PUT,PATCH,DELETE /api/rest/trees/{pk}/",
                "GET,PUT,PATCH,DELETE /api/rest/users/{pk}/",
                "POST /api/rest/posts/",
                "POST /api/rest/users/{pk}/block/",
                "USE /api/rest/posts/{pk}/",
            ],
            id="django",
        ),
        pytest.param(
            DJANGO_UNKNOWN,
            [
                "ANY /<settings.BASE>carts/",
                "ANY /<settings.BASE>more/",
                "GET /<settings.BASE>rest/users/{pk}/block/",
                "GET /<…>/{pk}/find/",
                "GET,POST /<settings.BASE>rest/users/",
                "GET,PUT,PATCH,DELETE /<settings.BASE>rest/users/{pk}/",
            ],
            id="django with routers and prefixes of the project's own",
        ),
        pytest.param(
            NEST,
            [
                "GET /api",
                "GET /api/v1/users/:id",
                "GET /api/v2/users",
                "GET /health",
                "GET /ready",
                "GET /tags",
            ],
            id="nest",
        ),
        pytest.param(
            NEST_MODULES,
            [
                "GET /api/staff/shifts/list/<SHIFT>",
                "GET /api/v1/staff/members/:id",
                "GET /api/v1/staff/roles-of/roles",
                "GET /api/v1/staff/roles-of/roles/all",
                "GET /api/v1/staff/shifts/metrics/all",
                "GET /api/v2/staff/shifts/list, /api/v3/staff/shifts/list",
                "GET /v1/status",
                "POST /api/v1/staff/members",
                "POST /api/v1/status",
            ],
            id="nest-modules",
        ),
        pytest.param(
            NEST_UNKNOWN, ["GET /<configService.getOrThrow…>/carts", "GET /bills"], id="nest-unknown"
        ),
        pytest.param(
            ACTIX,
            [
                "DELETE /api/carts/{id}",
                "GET /api/search",
                "GET /api/site",
                "GET /api/site/<setup.path>",
                "GET /api/users",
                "POST /api/site/icon",
            ],
            id="actix",
        ),
        pytest.param(
            AXUM, ["GET /about", "GET /api/tags", "GET /api/users/{id}", "POST /api/tags"], id="axum"
        ),
        pytest.param(UTOIPA, ["GET /counts", "GET /users", "GET,HEAD /in/both", "POST /users"], id="utoipa"),
        pytest.param(ROCKET, ["GET /api/more", "GET /api/ping", "GET /home/"], id="rocket"),
        pytest.param(EXPRESS, ["DELETE /api/lines/:line", "GET /users/:id", "POST /api/carts"], id="express"),
        pytest.param(CHAINED, ["GET /api/tags"], id="express chained"),
        pytest.param(
            ROWS,
            [
                "GET /api/tags/all",
                "GET /api/users/:id",
                "GET /html/<path>",
                "GET /html/about",
                "GET /html/imprint",
                "GET /html/old/\\d+",
                "POST /carts/add",
            ],
            id="express by rows",
        ),
        pytest.param(
            RESTX,
            [
                "ANY /api/v1/tags/other",
                "GET,DELETE /api/v1/people/<int:id>",
                "GET,POST /api/v1/tags",
                "PUT /api/v1/carts",
            ],
            id="flask-restx",
        ),
        pytest.param(MADE, ["GET /api/v1/monitors/team"], id="express made"),
        pytest.param(
            COMPUTED,
            ["GET /a, /b", "GET /api/v1/txs/:id", "POST /<base>/push", "PUT /<base>"],
            id="express computed",
        ),
        pytest.param(
            NAMED_CLASSES,
            [
                "GET /api/carts/{id}",
                "GET /api/v1/orders/<Outside.Paths.LIST>",
                "GET /api/v1/orders/open",
                "POST /own",
                "PUT /api/carts/all",
            ],
            id="constants of classes",
        ),
        pytest.param(
            NAMED_GROUPS, ["GET /api/orders", 'POST /<MapApiGroup("carts")>'], id="groups that are named"
        ),
        pytest.param(FASTIFY, ["GET /v1/items", "POST /v1/inner/deep"], id="fastify"),
        pytest.param(KOA, ["GET /shop/carts/:id"], id="koa"),
        pytest.param(HONO, ["GET /api/books/list"], id="hono"),
        pytest.param(GIN, ["DELETE /api/users/admin/:id", "GET /api/users/:id"], id="gin"),
        pytest.param(CHI, ["GET /admin/stats", "GET /articles/all", "GET /articles/{id}/show"], id="chi"),
        pytest.param(
            LARAVEL,
            [
                "GET /api/articles",
                "GET /api/articles/{article}",
                "GET /api/tags",
                "GET /shop/carts",
                "POST /mobile/login",
            ],
            id="laravel",
        ),
        pytest.param(
            ASPNET,
            [
                "GET /Home/Index",
                "GET /api/Bills/GetAll",
                "GET /api/Cart",
                "GET /status",
                "POST /api/Cart/add",
            ],
            id="aspnet",
        ),
        pytest.param(
            CHI_MOUNTED, ["GET /api/carts/{id}", "GET /api/health", "GET /imprint"], id="chi-mounted"
        ),
        pytest.param(CHI_METHODS, ["GET /api/carts/{id}", "GET /api/pages/first"], id="chi-methods"),
        pytest.param(
            MADE_GROUPS,
            [
                "GET /api/heroes/{id}",
                "GET /api/v1/Lists",
                "POST /items",
                "PUT /api/v1/Lists/{id}",
            ],
            id="made-groups",
        ),
        pytest.param(
            CONTEXT_PATHS,
            ["GET /plain", "GET /rent/v1/cars", "GET /shop/api/carts/{id}"],
            id="context-paths",
        ),
        pytest.param(FOUND_GROUPS, ["GET /api/Teams"], id="found-groups"),
        pytest.param(
            REFLECTED_GROUPS,
            ["GET /<…>/{id}", "GET /api/Teams/{id}", "POST /api/Teams/new"],
            id="reflected-groups",
        ),
        pytest.param(GENERIC_GROUPS, ["GET /api/Teams/{id}"], id="generic-groups"),
        pytest.param(RAZOR, ["GET /Shop/Cart", "POST /Account/Login"], id="razor"),
    ],
)
def test_a_route_has_the_prefixes_of_all_it_is_mounted_under(tmp_path, files, expected):
    write(tmp_path, files)

    assert routes(tmp_path) == expected


def test_a_route_follows_a_mount_in_another_file(tmp_path):
    write(tmp_path, FASTAPI)
    routes(tmp_path)

    mounted = "users.router, prefix='/all', dependencies=[Depends(tenant)])"
    write(tmp_path, {"api/main.py": FASTAPI["api/main.py"].replace("users.router)", mounted)})
    assert routes(tmp_path) == ["GET /api/v1/all/users", "GET /api/v1/all/users/{id}"]
    assert guards(tmp_path, "GET /api/v1/all/users") == [
        ("mount", "Depends(tenant)"),
        ("decorator", "router.get('')"),
    ]

    (tmp_path / "api/main.py").unlink()
    assert routes(tmp_path) == ["GET /users", "GET /users/{id}"]
    assert guards(tmp_path, "GET /users") == [("decorator", "router.get('')")]


def test_guards_of_a_handler_are_those_of_its_class_and_of_the_classes_above(tmp_path):
    source = (
        "from rest_framework.routers import DefaultRouter\nclass Base:\n    permission_classes = [IsOwner]\n"
        "class Carts(Base):\n    throttle_classes = [Slow]\nrouter = DefaultRouter()\nrouter.register('carts', Carts)\n"
    )
    write(tmp_path, {"shop.py": source})
    routes(tmp_path)

    assert guards(tmp_path, "GET,POST /carts/") == [
        ("attribute", "throttle_classes = [Slow]"),
        ("attribute", "permission_classes = [IsOwner]"),
    ]


def test_of_a_router_that_is_mounted_twice_only_the_guards_of_both_places_hold(tmp_path):
    source = (
        "const router = require('express').Router();\nrouter.get('/x', (q, r) => {});\nconst app = require('express')();\n"
        "app.use('/a', signedIn, audit, router);\napp.use('/b', signedIn, router);\n"
    )
    write(tmp_path, {"app.js": source})

    assert routes(tmp_path) == ["GET /a/x, /b/x"]
    assert guards(tmp_path, "GET /a/x, /b/x") == [("mount", "signedIn")]


def test_what_a_function_is_given_beside_a_router_guards_nothing(tmp_path):
    files = {
        "go.mod": "module example.com/shop\n\nrequire github.com/labstack/echo/v4 v4.0.0\n",
        "routes.go": (
            'package shop\n\nimport "github.com/labstack/echo/v4"\n\nfunc Routes(e *echo.Echo) {\n'
            '\ta := e.Group("/api", cors())\n\ta.Use(signedIn())\n\tregister(e, a, "x")\n}\n\n'
            "func register(e *echo.Echo, g *echo.Group, kind string) {\n"
            '\tg.GET("/"+kind+"/auth", show, limited())\n}\n\nfunc show(c echo.Context) error { return nil }\n'
        ),
    }
    write(tmp_path, files)
    scan(tmp_path, ScanOptions(jobs=0))

    found = guards(tmp_path, "GET /api/<kind>/auth")

    assert {text for _, text in found} == {"limited()", "cors()", "signedIn()"}


def test_routers_that_mount_each_other_end(tmp_path):
    source = (
        "from fastapi import APIRouter\na = APIRouter(prefix='/a')\nb = APIRouter(prefix='/b')\na.include_router(b)\n"
        "b.include_router(a)\n@a.get('/x')\ndef x(): ...\n"
    )
    write(tmp_path, {"rings.py": source})

    assert len(routes(tmp_path)) == 1


def test_a_router_that_is_mounted_twice_shows_both_paths(tmp_path):
    source = (
        "from fastapi import APIRouter, FastAPI\nrouter = APIRouter()\napp = FastAPI()\napp.include_router(router, prefix='/v1')\n"
        "app.include_router(router, prefix='/v2')\n@router.get('/x')\ndef x(): ...\n"
    )
    write(tmp_path, {"app.py": source})

    assert routes(tmp_path) == ["GET /v1/x, /v2/x"]


@pytest.mark.parametrize(
    ("prefix", "path", "whole"),
    [
        ("", "users/", "/users/"),
        ("/api/", "/users", "/api/users"),
        ("^api/", "^users/$", "/api/users/"),
        ("/api", "", "/api"),
        ("/api", "/", "/api/"),
        ("<PREFIX>", "/x", "/<PREFIX>/x"),
    ],
)
def test_a_path_is_joined_with_one_slash(prefix, path, whole):
    assert join_path(prefix, path) == whole


def test_only_routes_have_a_method_and_a_path():
    assert split_route("http", "GET /users -> views.users") == ("GET", "/users")
    assert split_route("http", "view") == (None, None)
    assert split_route("cli", "GET x") == (None, None)
