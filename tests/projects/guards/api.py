"""Guards of FastAPI, Flask and Django: dependencies, hooks, wrappers, mixins, classes of permissions."""

from django.contrib.auth.decorators import login_required
from django.contrib.auth.mixins import LoginRequiredMixin
from django.urls import path
from fastapi import APIRouter, Depends, FastAPI
from flask import Blueprint

app = FastAPI()
app.add_middleware(SessionMiddleware, secret_key=KEY)
router = APIRouter(prefix="/items", dependencies=[Depends(token)])
bp = Blueprint("shop", __name__)


@router.get("/{id}", dependencies=[Depends(admin), Depends(active)])
def show(id: int, user: User = Depends(current_user)):
    return id


@bp.before_request
def sign_in():
    pass


@bp.route("/cart")
@login_required
def cart():
    pass


class Orders(LoginRequiredMixin, ListView):
    permission_required = "shop.view_order"


class OrderSet(ModelViewSet):
    permission_classes = [IsAuthenticated, IsOwner]


urlpatterns = [path("orders/", login_required(staff(Orders.as_view())))]

app.include_router(router, prefix="/api", dependencies=[Depends(tenant)])
