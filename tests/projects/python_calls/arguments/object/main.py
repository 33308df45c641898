class Dog:
    def bark(self):
        pass

def speak(animal):
    animal.bark()

speak(Dog())
