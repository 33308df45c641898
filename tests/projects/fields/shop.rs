#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Item { pub name: String, #[serde(rename = "n", default)] note: Option<String>, }
#[serde(rename_all = "camelCase")]
pub struct Priced { unit_price: u32, plain: u8 }
