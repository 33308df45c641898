<?php

use Illuminate\Support\Facades\Route;

Route::prefix('api')->group(base_path('routes/orders.php'));
