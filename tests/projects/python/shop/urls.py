from django.contrib.auth.decorators import login_required
from django.urls import include, path, re_path

from . import views


def home(request):
    return request


urlpatterns = [
    path("", home),
    path("items/<int:pk>/", views.ItemView.as_view(), name="item"),
    path("private/", login_required(home)),
    re_path(r"^old/(\d+)$", views.old),
    path("api/", include("shop.api")),
]
