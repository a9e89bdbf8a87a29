//! Pages → facts: what each page's HTML says of itself, and where.
//!
//! Nothing is judged here: whether a page is listed is `decide/`'s affair.

mod facts;

pub use facts::{Alternate, CanonicalLink, Content, Facts, MetaTag, Region, Said};
