class User < ApplicationRecord
  has_many :orders, dependent: :destroy
  belongs_to :company, class_name: "Firm"
  scope :active, -> { where(active: true) }
  validates :name, presence: true, if: :named?
  delegate :city, to: :company, prefix: true

  def named? = name.present?
end

class Order < ApplicationRecord
  scope :open, -> { where(closed: false) }

  def total = 1
end

class Firm < ApplicationRecord
  def city = "Graz"
end
