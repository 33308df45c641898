Gem::Specification.new do |spec|
  spec.name = "shop"
  spec.add_dependency "forwardable", "~> 1.3"
end
