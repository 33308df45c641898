package com.shop;

import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/orders")
public class OrderController {
    @GetMapping("/{id}")
    public String show(String id) {
        try {
            return load(id);
        } catch (Throwable error) {
            return null;
        }
    }

    private String load(String id) {
        try {
            return id.trim();
        } catch (RuntimeException error) {
        }
        throw new IllegalStateException("gone");
    }
}

@Service
class Orders {
}

class OrderException extends RuntimeException {
}
