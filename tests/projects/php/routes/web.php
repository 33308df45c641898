<?php

use App\Http\Controllers\InvoiceController;
use Illuminate\Support\Facades\Route;

Route::get('/invoices', [InvoiceController::class, 'index'])->name('invoices');
Route::post('/invoices', 'InvoiceController@store');
Route::match(['get', 'head'], '/ping', fn () => 'pong');
Route::resource('photos', PhotoController::class);
Route::prefix('admin')->middleware('auth')->group(function () {
    Route::delete('/users/{id}', function (int $id) {
        return User::findOrFail($id)->delete();
    });
});
Route::group(['prefix' => 'api', 'middleware' => 'api'], function ($router) {
    $router->put('items', [ItemController::class, 'update']);
});
$app->get('/slim', SlimHandler::class);
Artisan::command('shop:close {day}', function () {
    close_day();
});
Event::listen(OrderShipped::class, fn ($event) => notify($event));
$schedule->call(function () {
    prune();
})->daily();
