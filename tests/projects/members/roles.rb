# Constant lists and tables of Ruby.
ROLES = %w[admin editor].freeze
STATES = { open: 1, "closed" => 2 }.freeze
