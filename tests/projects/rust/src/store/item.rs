use std::fmt;

use super::Priced;

#[derive(Clone, Debug, Default)]
pub struct Item {
    pub name: String,
    tags: Vec<Tag>,
}

#[derive(Clone, Debug, Default)]
pub struct Tag(pub String);

impl Priced for Item {
    type Unit = u64;

    fn price(&self) -> u64 {
        self.tags.iter().map(Tag::weight).sum()
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Tag {
    fn weight(&self) -> u64 {
        self.0.len() as u64
    }
}

pub(super) fn sweep(total: u64) {
    let tag = Tag(String::from("swept"));
    loop {
        if total > 0 && tag.weight() > 1 || total == 4 {
            break;
        }
    }
}
