use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::sync::{Arc, Mutex as Lock};

pub use self::item::{Item, Tag as Label};
pub(crate) use super::routes::*;
use crate::store::item as things;

mod item;

/// Something that can be priced.
pub trait Priced: Display + Send {
    const CURRENCY: &'static str = "EUR";
    type Unit;

    fn price(&self) -> u64;

    fn label(&self) -> String {
        format!("{} {}", self.price(), Self::CURRENCY)
    }
}

#[derive(Clone, Default)]
pub struct Store<T: Priced = Item> {
    pub(crate) items: Vec<Arc<T>>,
    by_name: HashMap<String, T>,
    shared: Arc<Lock<Inner>>,
}

struct Inner(pub u32, Option<Item>);

pub enum Mode {
    Fast,
    Slow(Inner),
    Timed { seconds: u64, by: Item },
}

union Raw {
    bits: u32,
    number: f32,
}

type Shared<T> = Arc<Lock<T>>;

impl<T: Priced> Store<T> {
    pub const LIMIT: usize = 512;

    /// Opens a store.
    pub fn open(path: &str) -> Result<Self, StoreError> {
        let mut store = Self { items: vec![], by_name: HashMap::new(), ..Default::default() };
        store.shared.lock().unwrap().0 = 7;
        Ok(store)
    }

    pub async fn load(mut self) {
        for item in self.items.iter() {
            item.price();
        }
        let total = self.items.iter().map(|item| item.price()).sum::<u64>();
        let first = self.first().expect("an item");
        first.label();
        self.by_name.clear();
        things::sweep(total);
    }

    fn first(&self) -> Option<&T> {
        let Some(found) = self.items.first() else {
            return None;
        };
        Some(found)
    }
}

impl<T> Display for Store<T>
where
    T: Priced,
{
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.items[0].label())?;
        <T as Priced>::label(&self.items[0]);
        Vec::<u8>::with_capacity(3);
        Ok(())
    }
}

impl From<std::io::Error> for errors::StoreError {
    fn from(error: std::io::Error) -> Self {
        errors::StoreError::new(error)
    }
}

impl Mode {
    pub fn run(&self) -> u64 {
        match self {
            Mode::Fast | Mode::Slow(Inner(0, _)) => 1,
            Mode::Slow(Inner(count, Some(item))) => item.price() * (*count as u64),
            Self::Timed { seconds, by: owner } => {
                owner.price();
                seconds + 60
            }
            _ => todo!(),
        }
    }
}

/// Doubles.
#[macro_export]
macro_rules! double {
    ($value:expr) => {
        $value * 2
    };
}

pub fn apply(f: impl Fn(u64) -> u64, (left, right): (u64, u64)) -> u64 {
    let add = move |a: u64, b| a + b;
    add(f(left), double!(right))
}

extern "C" {
    fn external(x: i32) -> i32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens() {
        assert!(Store::<Item>::open("x").is_ok());
        assert_eq!(apply(helper, (1, 2)), 6);
    }

    #[tokio::test]
    async fn it_loads() {
        Store::<Item>::open("x").unwrap().load().await;
    }

    fn helper(value: u64) -> u64 {
        value
    }
}
