class Cli < Thor
  desc "open PATH", "opens a shop"
  def open(path)
    say Shop.open(path)
  end

  no_commands do
    def helper; end
  end
end
