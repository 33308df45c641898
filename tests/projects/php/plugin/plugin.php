#!/usr/bin/env php
<?php
/* Plugin Name: Shop */

add_action('init', 'shop_init');
add_filter('the_content', [$this, 'decorate']);
add_shortcode('price', function ($attributes) {
    return shop_price($attributes);
});
register_rest_route('shop/v1', '/price', ['methods' => 'GET', 'callback' => 'shop_init']);

function shop_init() {
    if (is_admin()):
        shop_admin();
    elseif (is_feed()):
        shop_feed();
    else:
        shop_front();
    endif;
}
?>
<p><?= shop_price([]) ?></p>
