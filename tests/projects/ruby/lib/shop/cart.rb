module Shop
  # Gives a total to what has lines.
  module Totalled
    def total
      lines.sum(&:price)
    end
  end

  # What somebody is about to buy.
  class Cart
    include Totalled
    include Enumerable
    extend Forwardable

    attr_reader :lines
    attr_accessor :owner
    alias items lines
    def_delegators :@lines, :size, :empty?

    class << self
      def load(path) = new(read(path))

      private

      def read(path)
        File.readlines(path, chomp: true).map { |text| Line.new(text) }
      end
    end

    # @param lines [Array<Line>]
    # @param owner [User, nil]
    def initialize(lines = [], owner: nil)
      @lines = lines
      self.owner = owner
    end

    def each(&block)
      return enum_for(:each) unless block_given?

      lines.each(&block)
      self
    end

    # @return [Line]
    def find_line(name)
      each do |line|
        return line if line.name == name
      end
      first, *rest = lines
      rest.empty? ? first : nil
    end

    def <<(line)
      @lines << line
      send(:changed, line)
    end

    def to_s = "#{size} of #{owner&.name}"

    define_method(:clear) { @lines.clear }

    protected

    def changed(line, *rest, by: nil, **options)
      case line
      when Line then line.touch
      when nil, :none then super
      else
        while by && !rest.empty?
          by = rest.pop || by
        end
      end
    end

    private

    def audit!(line)
      line.touch rescue nil
    end
  end

  class Cart::Line
    attr_reader :name, :price

    def initialize(text)
      @name, @price = text.split(";")
    end

    def touch
      @touched = true
    end
    private_class_method def self.blank = new("")
  end
end
