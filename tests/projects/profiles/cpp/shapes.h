#pragma once
#include <memory>
#include <vector>

class Shape {
public:
    virtual double area() const = 0;
    ~Shape() {}
};

class Safe {
public:
    virtual void run() = 0;
    virtual ~Safe() = default;
};

class Circle : public Shape {
public:
    explicit Circle(double radius) : radius_(radius) {}
    double area() const override { return radius_ * radius_; }

private:
    double radius_;
};

class Buffer {
public:
    Buffer() : data_(new char[16]) {}
    ~Buffer() { delete[] data_; }

private:
    char* data_;
};

class Holder {
    std::unique_ptr<Shape> shape_;
    std::shared_ptr<Buffer> buffer_;
};

template <typename T>
class Stack {
public:
    void push(T value) { values_.push_back(value); }

private:
    std::vector<T> values_;
};

template <>
class Stack<bool> {
public:
    void push(bool value) {}
};

template <typename T>
T largest(T left, T right) { return left > right ? left : right; }

template <typename T>
class Box {
    struct Lid {
        void open();
    };
};

template <typename T>
void Box<T>::Lid::open() {}
