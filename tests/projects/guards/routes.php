<?php
// Guards of Laravel: chains, groups, arrays of options, and those of a controller.

use Illuminate\Support\Facades\Route;

Route::get('/open', [CartController::class, 'show']);
Route::get('/cart', [CartController::class, 'show'])->middleware('auth');
Route::middleware(['auth:sanctum', 'verified'])->group(function () {
    Route::post('/cart', [CartController::class, 'add'])->can('update', 'cart');
});
Route::group(['middleware' => 'admin', 'prefix' => 'admin'], function () {
    Route::get('/stats', [StatsController::class, 'show']);
});
$limits = ['throttle:60', 'verified'];
Route::get('/limited', [CartController::class, 'show'])->middleware($limits);
Route::middleware('api')->prefix('api')->group(base_path('routes/orders.php'));

class StatsController
{
    public function __construct()
    {
        $this->middleware('can:see-stats');
    }

    public function show()
    {
    }
}
