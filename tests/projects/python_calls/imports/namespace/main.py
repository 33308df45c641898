from space import part

part.greet()
