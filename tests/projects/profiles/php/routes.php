<?php

use App\OrderController;
use Illuminate\Support\Facades\Route;

Route::get('/orders/{id}', [OrderController::class, 'show']);
